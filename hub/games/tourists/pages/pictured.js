/** Cards in a hand: a seat's words by their sign, and cards of the deck by their number. */

import { h } from "#core/dom.js";
import { drawn, withPicture } from "#core/drawn.js";
import { card as named } from "./cards.js";
import { PICTURES } from "./pictures.js";

/**
 * A card or a word in a hand.
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  const found = named(kind, value);
  if (!found) return null;
  const [number = "", way = ""] = value.split(" ");
  return withPicture(
    found,
    kind === "drawn" ? h("span", { class: `number ${way}` }, number) : PICTURES[kind] && drawn(PICTURES[kind]),
  );
}
