/** A card of the deck on the table: its number at both ends, its sign, and which way up it is. */

import { h, once, s } from "#core/dom.js";
import { t } from "#core/texts.js";
import { cardLies, kindName, numeral, plainCard } from "./named.js";

/** @typedef {import("./types").CardView} CardView */

/** The suits of the standard deck, each with its own sign. @type {Record<string, string>} */
const PATHS = {
  paper: "M5 2H15L20 7V22H5ZM15 2V7H20",
  stone: "M7 3H17L22 12 17 21H7L2 12Z",
  blades: "M12 1 16 12 12 23 8 12ZM1 12 12 8 23 12 12 16Z",
  serpent: "M19 5.5A6 5 0 0 0 7 7.5C7 13 17 11 17 16.5A6 5 0 0 1 5 18.5",
  triumph: "M12 1.5 15.2 8.6 22.8 9.4 17.1 14.6 18.7 22.2 12 18.3 5.3 22.2 6.9 14.6 1.2 9.4 8.8 8.6Z",
  excuse: "M12 2A10 10 0 1 0 12.01 2ZM8 9.5H8.2M15.8 9.5H16M7.5 15.5Q12 18.5 16.5 15.5",
};
/** The sign for other decks' suits. */
const OTHER = "M4 4H20V20H4Z";

export const suitSign = once((/** @type {string} */ suit) =>
  s(
    "svg",
    { class: `suit ${suit in PATHS ? suit : "other"}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: PATHS[suit] ?? OTHER }),
  ),
);

/**
 * A card on the table; a reversed one is upside down.
 * @param {CardView} card
 * @param {{key?: string, look?: string, more?: string, down?: boolean}} [how] `more` is read aloud
 *   after its name; `down` puts it face down
 */
export const lying = (card, { key = `card-${card.number}`, look = "", more = "", down = false } = {}) =>
  h(
    "div",
    {
      class: `lies ${card.suit in PATHS ? card.suit : "other"} ${card.reversed ? "reversed" : "upright"} ${down ? "down" : ""} ${look}`,
      key,
      role: "img",
      "aria-label": [cardLies(card), more].filter(Boolean).join(", "),
    },
    h(
      "div",
      { class: "leaf-of" },
      h("b", { class: "end" }, card.number),
      suitSign(card.suit),
      h("span", { class: "kind" }, card.rank === null ? kindName(card) : numeral(card.rank)),
      h("b", { class: "end far" }, card.number),
    ),
  );

/**
 * A card or a word as a choice.
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  if (["drawn", "cover"].includes(kind)) return { name: plainCard(value) };
  const key = `tourists.stage.card.${kind}`;
  const said = t(key);
  return said === key ? null : { name: value ? `${said} ${value}` : said };
}
