/** The cards of a tale in a hand. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";
import { pips } from "./dice.js";

const QUIRK = "quirk ";
/** Kinds of cards, in order. */
export const hand = ["approach", "difficulty"];
/** Kind → rank of its heading. @type {Record<string, number>} */
const RANKS = { approach: 0, difficulty: 1 };

/** @param {string} kind @param {string} value */
export const isQuirk = (kind, value) => kind === "approach" && value.startsWith(QUIRK);

/**
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  if (kind === "approach")
    return {
      name: isQuirk(kind, value)
        ? t("tricube.card.quirk", { quirk: value.slice(QUIRK.length) })
        : t("tricube.card.plain"),
    };
  if (kind === "difficulty") return { name: t("tricube.card.difficulty", { number: value }) };
  if (kind === "die")
    return {
      name: t("tricube.own.dice.face", { face: value }),
      chip: () => [pips(Number(value)), h("span", {}, value)],
    };
  if (kind === "dice") return { name: t("tricube.card.dice", { dice: value }) };
  if (kind === "karma")
    return { name: value === "none" ? t("tricube.own.karma.none") : t("tricube.card.karma", { perk: value }) };
  if (kind === "regain") return { name: t(`tricube.card.regain.${value}`) };
  if (kind === "accept") return { name: t(`tricube.own.accept.${value}`) };
  if (kind === "take-back") return { name: t("tricube.card.take-back") };
  return null;
}

/** @param {string} kind */
export const heading = (kind) => ({
  id: kind,
  title: t(kind in RANKS ? `hand.${kind}` : "tricube.hand"),
  rank: RANKS[kind] ?? 2,
});

/**
 * @param {string} kind
 * @param {string} value
 */
export function meaning(kind, value) {
  if (kind !== "approach") return "";
  return t(isQuirk(kind, value) ? "tricube.card.quirk.more" : "tricube.card.plain.more");
}
