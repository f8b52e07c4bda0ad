/** A character's points of energy, as tokens. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";
import { brokenSign, lostSign, sign } from "./shapes.js";

/** @typedef {import("./wire").Action} Action */
/** @typedef {import("./wire").Energy} Energy */
/**
 * `broken`: how many tokens of each type are breaking.
 * @typedef {{energy: Energy, max: Energy, zero: string[], broken?: Record<string, number>}} Points
 */

const MOST_TOKENS = 7;

/**
 * The tokens of one type, present, breaking and lost; one token for all of them if there are many.
 * @param {Points} character
 * @param {Action} type
 * @param {string} [letter] inside each token
 */
function tokensOf({ energy, max, broken: breaking }, type, letter = "") {
  const left = energy[type];
  const most = Math.max(left, max[type]);
  const broken = breaking?.[type] ?? 0;
  if (most > MOST_TOKENS) return [sign(type, letter)];
  return Array.from({ length: most }, (_, at) =>
    at < left ? sign(type, letter) : at < left + broken ? brokenSign(type, letter) : lostSign(type),
  );
}

/**
 * The points of one type in words.
 * @param {Points} character
 * @param {Action} type
 */
function spoken({ energy, max, zero }, type) {
  const said = t("energy.of", { type: t(type), left: energy[type], max: max[type] });
  return zero.includes(type) ? `${said}, ${t("energy.at-zero")}` : said;
}

/**
 * The points of one type: tokens with their letter, and the number.
 * @param {Points} character
 * @param {Action} type
 */
export function energyRow(character, type) {
  const left = character.energy[type];
  const look = `${character.zero.includes(type) && !left ? "zero" : ""} ${character.broken?.[type] ? "hit" : ""}`;
  return h(
    "div",
    { class: `energy ${type} ${look}`, role: "img", "aria-label": spoken(character, type) },
    h("span", { class: "tokens" }, tokensOf(character, type, t(`${type}.letter`))),
    h("span", { class: "count" }, h("b", { key: `left-${left}` }, left), h("i", {}, `/${character.max[type]}`)),
  );
}

/**
 * The points of one type as a stack of tokens, for a room; with a number if there are many.
 * @param {Points} character
 * @param {Action} type
 */
export function stock(character, type) {
  const tokens = tokensOf(character, type);
  const left = character.energy[type];
  const many = tokens.length === 1 && Math.max(left, character.max[type]) > 1;
  return h(
    "span",
    { class: `stock ${type}`, key: type, role: "img", "aria-label": spoken(character, type) },
    tokens,
    many && h("b", { key: `left-${left}` }, left),
  );
}
