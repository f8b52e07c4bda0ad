/**
 * A press is meant for what was there when the finger set out. What has only just come to be there,
 * by a news of the hub or by the first half of a double tap, is not pressed yet.
 */

import { nearest } from "./dom.js";

/** Nobody reads a button and presses it within this. */
const FRESH_MS = 350;
/** The second tap of a double tap comes within this, at the same place. */
const DOUBLE_MS = 700;
const SAME_PX = 16;
/** Buttons that do something; the others only change what the page shows. */
const DOES = "[data-press], [data-command], [data-seal], [data-beside], [data-do]";
/** What tells one press of a button from another. */
const TOLD_BY = ["data-place", "data-do", "data-of"];

/** @param {HTMLElement} root where presses are heard */
export function guardPresses(root) {
  /** @type {WeakMap<Element, {what: string, at: number}>} */
  const known = new WeakMap();
  /** @type {{button: Element, at: number, x: number, y: number}|null} */
  let last = null;

  const look = () => {
    for (const button of root.querySelectorAll(DOES)) {
      const what = TOLD_BY.map((name) => button.getAttribute(name)).join(" ");
      if (known.get(button)?.what !== what) known.set(button, { what, at: performance.now() });
    }
  };

  /**
   * @param {MouseEvent} event
   * @param {Element} button
   * @param {number} at
   */
  const isMeant = ({ clientX: x, clientY: y }, button, at) => {
    const since = known.get(button)?.at;
    if (since === undefined) return true;
    if (at - since < FRESH_MS) return false;
    if (!last || at - last.at >= DOUBLE_MS || Math.hypot(x - last.x, y - last.y) >= SAME_PX) return true;
    return last.button === button && since < last.at;
  };

  new MutationObserver(look).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: TOLD_BY });
  look();
  root.addEventListener(
    "click",
    (event) => {
      const button = nearest(event, "button");
      // A key is pressed on what has the focus; what the page itself clicks, it means.
      if (!button || !event.isTrusted || !event.detail) return;
      const at = performance.now();
      if (!isMeant(event, button, at)) {
        event.stopImmediatePropagation();
        event.preventDefault();
      }
      last = { button, at, x: event.clientX, y: event.clientY };
    },
    { capture: true },
  );
}
