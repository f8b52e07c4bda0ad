/** Cards and which way up they are, in words and as small drawings. */

import { h } from "#core/dom.js";
import { knows, pretty, t } from "#core/texts.js";

/** @typedef {import("./types").CardView} CardView */

/** @type {Array<[number, string]>} */
const NUMERALS = [
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

/** A Triumph's numeral; the lowest is 0. @param {number} rank */
export function numeral(rank) {
  if (rank === 0) return "0";
  let left = rank;
  return NUMERALS.reduce((said, [worth, sign]) => {
    const times = Math.floor(left / worth);
    left -= times * worth;
    return said + sign.repeat(times);
  }, "");
}

/** A suit, translated if it is one of the book's. @param {string} suit */
export const suitName = (suit) => (knows(`tourists.suit.${suit}`) ? t(`tourists.suit.${suit}`) : pretty(suit));

/** A card's suit or rank. @param {CardView} card */
export const kindName = ({ suit, rank }) =>
  rank === null ? suitName(suit) : t("tourists.own.triumph", { numeral: numeral(rank) });

/** A card's number and kind. @param {CardView} card */
export const cardName = (card) => t("tourists.own.card", { number: card.number, kind: kindName(card) });

/** A card, and which way up it is. @param {CardView} card */
export const cardLies = (card) =>
  t(card.reversed ? "tourists.own.lies.reversed" : "tourists.own.lies.upright", { card: cardName(card) });

/**
 * A card known by its number only, and which way up it is: 39 reversed.
 * @param {string} value
 */
export function plainCard(value) {
  const [number = "", way = ""] = value.split(" ");
  const card = t("tourists.own.number", { number });
  return knows(`tourists.own.lies.${way}`) ? t(`tourists.own.lies.${way}`, { card }) : card;
}

/** A card within a line. @param {CardView} card */
export const chip = (card) =>
  h(
    "span",
    { class: `own-lying ${card.suit} ${card.reversed ? "reversed" : ""}`, key: `card-${card.number}` },
    h("b", {}, card.number),
    " ",
    kindName(card),
    card.reversed && [" ", h("i", {}, t("tourists.own.reversed"))],
  );
