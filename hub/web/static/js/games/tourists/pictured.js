/** Cards in a hand: what a seat says by one, with its sign, and a card of the deck by its number. */

import { h, s } from "../../core/dom.js";
import { card as named } from "./cards.js";

/** @typedef {{d: string, width: number, solid?: boolean}} Stroke */

const ROUND = "M12 2A10 10 0 1 0 12.01 2Z";

/** As they are printed. @type {Record<string, Stroke[]>} */
export const PICTURES = {
  pass: [{ d: "M3 4 11.5 12 3 20ZM12.5 4 21 12 12.5 20Z", width: 1.2, solid: true }],
  turn: [{ d: "M20 9.5A8.5 8.5 0 0 0 4.6 8M4 3V8.5H9.5M4 14.5A8.5 8.5 0 0 0 19.4 16M20 21V15.5H14.5", width: 2.2 }],
  reject: [{ d: "M5 5 19 19M19 5 5 19", width: 3.6 }],
  "let-be": [{ d: ROUND, width: 1.6 }, { d: "M7.5 12.5 10.8 15.8 16.8 8.8", width: 2.2 }],
  "let-be-all": [{ d: ROUND, width: 1.6 }, { d: "M4.6 12.5 7.6 15.6 13 8.8M11.4 14.2 12.8 15.6 18.6 8.8", width: 2 }],
  concede: [{ d: "M5.5 22.5V2", width: 2.2 }, { d: "M5.5 3H19.5L16 8 19.5 13H5.5Z", width: 1.6 }],
  "ask-again": [{ d: ROUND, width: 1.6 }, { d: "M8.8 9.2A3.3 3.3 0 1 1 12 13.2V14.6M12 17.6V18", width: 2 }],
  "go-on": [{ d: "M6 3 20 12 6 21Z", width: 1.4, solid: true }],
  draw: [{ d: "M5 2.5H19V21.5H5Z", width: 1.6 }, { d: "M12 8V16M8 12H16", width: 2.2 }],
};

/** @param {Stroke[]} strokes */
const drawn = (strokes) =>
  s("svg", { class: "said-sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
    strokes.map(({ d, width, solid }) => s("path", { d, "stroke-width": width, class: solid && "solid" })));

/**
 * A card or a word as it lies in a hand.
 * @param {string} kind
 * @param {string} value
 * @returns {import("../../core/types").Card|null}
 */
export function card(kind, value) {
  const found = named(kind, value);
  if (!found) return null;
  const [number = "", way = ""] = value.split(" ");
  const picture = kind === "drawn" ? h("span", { class: `number ${way}` }, number) : PICTURES[kind] && drawn(PICTURES[kind]);
  if (!picture) return found;
  return { ...found, front: () => [h("span", { class: "picture" }, picture), h("span", { class: "name" }, h("b", {}, found.name))] };
}
