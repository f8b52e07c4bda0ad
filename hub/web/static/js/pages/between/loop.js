/** Pictures one after the other, again and again. */

import { redraw } from "../../core/later.js";

let timer = 0;

/**
 * The picture of this moment; the page is redrawn when the next begins.
 * @template {{lasts: number}} One
 * @param {One[]} pictures each with its duration (ms)
 * @param {number} [begun] when the first picture began (ms, as `performance.now()`)
 * @returns {One}
 */
export function looped(pictures, begun = 0) {
  const whole = pictures.reduce((all, { lasts }) => all + lasts, 0);
  let left = (performance.now() - begun) % whole;
  const at = Math.max(
    0,
    pictures.findIndex(({ lasts }) => (left -= lasts) < 0),
  );
  clearTimeout(timer);
  timer = setTimeout(redraw, Math.max(0, -left) + 1);
  return pictures[at];
}
