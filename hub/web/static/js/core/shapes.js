/** Drawings used by every family: the back of a card, the logo, a plug. */

import { s } from "./dom.js";

export const pentagon = s("path", { d: "M12 1.6 22.4 9.2 18.4 21.6H5.6L1.6 9.2Z" });
export const circle = s("circle", { cx: 12, cy: 12, r: 10.2 });
export const square = s("rect", { x: 2, y: 2, width: 20, height: 20, rx: 1.5 });

/**
 * @param {number} x
 * @param {number} y
 * @param {import("./types").Drawn} inner
 */
const ring = (x, y, inner) => s("g", { transform: `translate(${x} ${y}) scale(.62) translate(-12 -12)` }, inner);

/** The back of a card: three shapes around a triangle. */
export const back = s(
  "svg",
  { class: "pattern", viewBox: "0 0 60 84", "aria-hidden": "true" },
  s("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, class: "line" }),
  s("path", { d: "M30 22 49 55H11Z", class: "line" }),
  s("path", { d: "M30 62 11 29H49Z", class: "line faint" }),
  ring(30, 21, pentagon),
  ring(49, 55, circle),
  ring(11, 55, square),
);

/** The logo: a card face down. */
export const mark = s(
  "svg",
  { class: "mark", viewBox: "0 0 48 64", "aria-hidden": "true" },
  s("rect", { x: 4, y: 4, width: 40, height: 56, rx: 6 }),
  s("path", { d: "M24 19 38 43H10Z" }),
);

/** A cable's plug, for a lost reader. */
export const plug = s(
  "svg",
  { class: "plug", viewBox: "0 0 24 24", "aria-hidden": "true" },
  s("path", { d: "M8 2V8M16 2V8M5 8H19V12A7 7 0 0 1 5 12ZM12 19V22M2 2 22 22" }),
);

/** A magnifier, to change how much the display shows. @param {boolean} near */
export const glass = (near) =>
  s(
    "svg",
    { class: "glass", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: `M15 15 21 21M10 3A7 7 0 1 0 10.01 3M7 10H13${near ? "" : "M10 7V13"}` }),
  );
