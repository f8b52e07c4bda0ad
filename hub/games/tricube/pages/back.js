/** The back of a tale's cards: a cube of dice, a die's face on each of the three sides. */

import { s } from "#core/dom.js";

/** Where the pips are: one, two and three. */
const PIPS = [
  [30, 30],
  [16.3, 39.8],
  [24.7, 55.2],
  [34.2, 57.3],
  [39.5, 47.5],
  [44.8, 37.7],
];

export const back = s(
  "svg",
  { class: "pattern", viewBox: "0 0 60 84", "aria-hidden": "true" },
  s("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, class: "line" }),
  s("g", {}, s("path", { d: "M30 19 49 30V54L30 65 11 54V30ZM11 30 30 41 49 30M30 41V65" })),
  s(
    "g",
    { class: "solid" },
    PIPS.map(([cx, cy]) => s("circle", { cx, cy, r: 2.1 })),
  ),
);
