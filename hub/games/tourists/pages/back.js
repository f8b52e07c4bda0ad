/** The back of the deck's cards: a compass rose. */

import { s } from "#core/dom.js";

export const back = s(
  "svg",
  { class: "pattern", viewBox: "0 0 60 84", "aria-hidden": "true" },
  s("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, class: "line" }),
  s("circle", { cx: 30, cy: 42, r: 18, class: "line" }),
  s("circle", { cx: 30, cy: 42, r: 14.5, class: "line faint" }),
  s("g", {}, s("path", { d: "M30 14 35 37 50 42 35 47 30 70 25 47 10 42 25 37Z" })),
  s("path", { d: "M30 14V70M10 42H50M25 37 35 47M35 37 25 47", class: "line" }),
);
