/**
 * Touch and keys on a seat's page: holding a button, arrow keys in a row of buttons, and the
 * phone's buzz.
 */

import { nearest } from "../../core/dom.js";
import { game } from "../../core/game.js";

/** @typedef {import("../../core/types").State} State */

/** @type {Record<string, number>} */
const STEP = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const HOLD_KEYS = [" ", "Enter"];
const ASKED_MS = [60];
const SHOWN_MS = [40, 70, 40];

/**
 * Report when a button marked `data-peek` is held down and released: by finger, mouse or key.
 * @param {HTMLElement} root
 * @param {(held: boolean) => void} onHold
 */
export function letHold(root, onHold) {
  /** @param {Event} event */
  const on = (event) => nearest(event, "[data-peek]");
  root.addEventListener("pointerdown", (event) => on(event) && onHold(true));
  root.addEventListener("contextmenu", (event) => on(event) && event.preventDefault());
  root.addEventListener("keydown", (event) => {
    if (on(event) && HOLD_KEYS.includes(event.key) && !event.repeat) onHold(true);
  });
  root.addEventListener("keyup", (event) => HOLD_KEYS.includes(event.key) && onHold(false));
  root.addEventListener("focusout", (event) => on(event) && onHold(false));
  for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, () => onHold(false));
  document.addEventListener("visibilitychange", () => onHold(false));
}

/**
 * Let the arrow keys move between the buttons inside an element marked `data-arrows`.
 * @param {HTMLElement} root
 */
export function letArrows(root) {
  root.addEventListener("keydown", (event) => {
    const row = nearest(event, "[data-arrows]");
    const step = STEP[event.key];
    const button = nearest(event, "button");
    if (!row || !step || !(button instanceof HTMLButtonElement)) return;
    const all = [...row.querySelectorAll("button:not([data-word])")];
    const at = all.indexOf(button);
    const next = at < 0 ? null : all[(at + step + all.length) % all.length];
    if (!(next instanceof HTMLElement)) return;
    next.focus();
    event.preventDefault();
  });
}

/**
 * Buzz, if the phone can and may.
 * @param {number[]} pattern
 */
export function buzz(pattern) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Browsers log a warning when a page buzzes before its first touch.
  if (!still && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

/**
 * Buzz at a reveal.
 * @param {State|null} before
 * @param {State} after
 */
export const buzzIfShown = (before, after) => {
  const shown = after.game ? game().shown(after) : "";
  if (before && shown && shown !== (before.game ? game().shown(before) : "")) buzz(SHOWN_MS);
};

/** Buzz because one of the seat's characters is awaited. */
export const buzzAsked = () => buzz(ASKED_MS);
