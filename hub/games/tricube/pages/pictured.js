/** Cards of a tale in a hand, with their printed signs. */

import { h } from "#core/dom.js";
import { drawn, withPicture } from "#core/drawn.js";
import { PICTURES } from "./pictures.js";
import { isQuirk, card as named } from "./seat-cards.js";

/**
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  const found = named(kind, value);
  if (!found) return null;
  if (kind === "difficulty") return withPicture(found, h("span", { class: "number" }, value));
  const picture = PICTURES[`${kind} ${value}`.trim()] ?? PICTURES[isQuirk(kind, value) ? "quirk" : kind];
  return withPicture(found, picture && drawn(picture));
}
