/** A character's sheet between scenes. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";

/** @typedef {import("#core/types.js").Part} Part */
/**
 * A sheet as the hub sends it, of the party or of the player's own character.
 * @typedef {{description?: string, trait: string, concept: string, style: string, perks: readonly string[], quirks: readonly string[], karma: number, karma_max: number, resolve: number, resolve_max: number, afflictions: ReadonlyArray<{name: string, lasts: string}>, dead?: boolean}} Lasting
 */

export const STYLES = ["melee", "ranged", "mental"];
/** A character with more afflictions than this retires. */
const MOST_AFFLICTIONS = 3;

/**
 * Why a character cannot take part; empty if it can.
 * @param {Pick<Lasting, "dead"|"afflictions">} sheet
 */
export const awayFor = ({ dead = false, afflictions }) =>
  dead ? t("tricube.lasting.dead") : afflictions.length > MOST_AFFLICTIONS ? t("tricube.lasting.retired") : "";

/** An affliction with its duration. @param {Lasting["afflictions"][number]} affliction */
export const afflictionSaid = ({ name, lasts }) =>
  t("tricube.lasting.affliction", { name, lasts: t(`tricube.lasts.${lasts}`) });

/**
 * @param {string} key
 * @param {readonly string[]} texts
 */
const part = (key, texts) =>
  h(
    "section",
    { class: `own-part part-${key}`, key, "aria-label": t(`tricube.lasting.${key}`) },
    h("h3", {}, t(`tricube.lasting.${key}`)),
    texts.length
      ? h(
          "ul",
          { class: "own-lines" },
          texts.map((text) => h("li", { key: text }, text)),
        )
      : h("p", { class: "hint" }, t("tricube.lasting.none")),
  );

/**
 * The sheet, part by part.
 * @param {Lasting} sheet
 * @returns {Part[]}
 */
export function written(sheet) {
  const away = awayFor(sheet);
  return [
    away && h("p", { class: "away", key: "away" }, h("b", {}, away)),
    h(
      "p",
      { key: "archetype" },
      h("b", {}, t("tricube.lasting.archetype", { trait: t(`tricube.trait.${sheet.trait}`), concept: sheet.concept })),
      " ",
      h("span", { class: "hint" }, t(`tricube.fights.${sheet.style}`)),
    ),
    sheet.description && h("p", { key: "description" }, sheet.description),
    h(
      "p",
      { class: "tokens", key: "tokens" },
      h("span", { key: "karma" }, t("tricube.lasting.karma", { has: sheet.karma, most: sheet.karma_max })),
      " · ",
      h("span", { key: "resolve" }, t("tricube.lasting.resolve", { has: sheet.resolve, most: sheet.resolve_max })),
    ),
    part("perks", sheet.perks),
    part("quirks", sheet.quirks),
    sheet.afflictions.length > 0 && part("afflictions", sheet.afflictions.map(afflictionSaid)),
  ];
}

/** The lines of a field, without empty ones and duplicates. @param {unknown} text */
export const linesOf = (text) => [
  ...new Set(
    String(text ?? "")
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean),
  ),
];
