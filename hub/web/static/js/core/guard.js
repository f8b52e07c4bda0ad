/**
 * Ignores presses on a button that has only just changed, by a message of the hub or by the first
 * half of a double tap: the player meant the old one.
 */

import { nearest } from "./dom.js";

/** Too short a time to read a button and press it. */
const FRESH_MS = 350;
/** A second tap within this time, at the same place, is a double tap. */
const DOUBLE_MS = 700;
const SAME_PX = 16;
/** Buttons that do something; the others only change what the page shows. */
const DOES = "[data-press], [data-command], [data-seal], [data-beside], [data-do]";
/** Attributes that identify what a button does. */
const TOLD_BY = ["data-place", "data-do", "data-of"];

/** @param {HTMLElement} root element that receives the presses */
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

  new MutationObserver(look).observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: TOLD_BY,
  });
  look();
  root.addEventListener(
    "click",
    (event) => {
      const button = nearest(event, "button");
      // Keys act on the focused button, and the page's own clicks are intended.
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
