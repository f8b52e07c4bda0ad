/** Keyboard focus between the picked card and the button that seals it, which may be far apart. */

import { nearest } from "./dom.js";

const PICKED = '[data-pick][aria-pressed="true"]';
const SEAL = ".seals";

/**
 * Let Tab move from the picked card to the seal button, and Shift+Tab back.
 * @param {HTMLElement} root
 */
export function letSeal(root) {
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
    const [from, to] = event.shiftKey ? [SEAL, PICKED] : [PICKED, SEAL];
    const there = nearest(event, from) && root.querySelector(to);
    if (!(there instanceof HTMLElement)) return;
    there.focus();
    event.preventDefault();
  });
}
