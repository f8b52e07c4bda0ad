/** Cards in a hand: what a seat says by one, with its sign, and a card of the deck by its number. */

import { h } from "#core/dom.js";
import { drawn, withPicture } from "#core/drawn.js";
import { card as named } from "./cards.js";
import { PICTURES } from "./pictures.js";

/**
 * A card or a word as it lies in a hand.
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  const found = named(kind, value);
  if (!found) return null;
  const [number = "", way = ""] = value.split(" ");
  return withPicture(found, kind === "drawn" ? h("span", { class: `number ${way}` }, number) : PICTURES[kind] && drawn(PICTURES[kind]));
}
