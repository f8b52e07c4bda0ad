/** Drawings used by every family: a plain back of a card, the logo, a plug. */

import { s } from "./dom.js";

/** The back of a card of no particular family: rings. */
export const back = s(
  "svg",
  { class: "pattern", viewBox: "0 0 60 84", "aria-hidden": "true" },
  s("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, class: "line" }),
  [6, 12, 18].map((r) => s("circle", { cx: 30, cy: 42, r, class: "line" })),
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
