/**
 * A portrait of everybody: a colour and a shape that follow from the name, with its first letter. Neither
 * says anything that the name beside it does not.
 */

import { once, s } from "./dom.js";

const COLOURS = 8;
/** Shapes around a middle of 24 by 24. */
const SHAPES = [
  "M24 6 42 40H6Z",
  "M24 5 43 24 24 43 5 24Z",
  "M8 8H40V40H8Z",
  "M24 5 42 18 35 41H13L6 18Z",
  "M14 7H34L44 24 34 41H14L4 24Z",
  "M24 3 30 17 45 18 33 28 38 43 24 34 10 43 15 28 3 18 18 17Z",
  "M24 44C8 33 4 25 6 16 9 6 21 6 24 14 27 6 39 6 42 16 44 25 40 33 24 44Z",
  "M24 4A20 20 0 1 1 23.9 4Z",
  "M6 8H42V24A18 18 0 0 1 6 24Z",
  "M18 5H30V18H43V30H30V43H18V30H5V18H18Z",
  "M6 42A36 36 0 0 1 42 6 36 36 0 0 1 6 42Z",
];

/**
 * A number that follows from a name: FNV-1a.
 * @param {string} name
 */
function digest(name) {
  let sum = 0x811c9dc5;
  for (const sign of name) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum;
}

/** The portrait of somebody, by name. */
export const portrait = once((/** @type {string} */ name) => {
  const sum = digest(name.toLowerCase());
  const shape = SHAPES[(sum >>> 8) % SHAPES.length];
  return s(
    "svg",
    { class: `portrait tint-${sum % COLOURS}`, viewBox: "0 0 48 48", "aria-hidden": "true" },
    s("rect", { width: 48, height: 48, rx: 11 }),
    s("path", { d: shape }),
    s("text", { x: 24, y: 26, "text-anchor": "middle", "dominant-baseline": "middle" }, [...name][0]?.toUpperCase()),
  );
});
