/** The triangle's part of a player's page: the hand's headings, warnings, sheet and decisions. */

import { knows, list, pretty, t } from "#core/texts.js";
import { choiceName, ownWords, readChoice } from "./cards.js";
import { orderOf, TYPES } from "./shapes.js";

export { builder as build } from "./build.js";
export * from "./decisions.js";
export { explain } from "./explain.js";
export { facing, felt } from "./felt.js";
export { changes } from "./gm/changes.js";
export { own } from "./own.js";
export { sheetView as sheet } from "./sheet.js";

/** The headings in a hand, in order. */
const GROUPS = [...TYPES, "own", "option", "special", "no-stance", "surrender", "other"];

/**
 * The heading of a card.
 * @param {string} kind
 * @param {string} value
 */
export function heading(kind, value) {
  const choice = readChoice(kind, value);
  const id = choice.action && kind !== "special" ? choice.action : choice.type;
  return { id, title: orderOf(id) >= 0 ? t(id) : t(`own.group.${id}`), rank: GROUPS.indexOf(id) };
}

/**
 * The meaning of a card, in a sentence.
 * @param {string} kind
 * @param {string} value
 */
export const meaning = (kind, value) =>
  kind === "option" && knows(`own.option.${value}`) ? t(`own.option.${value}`) : "";

/**
 * Warnings from face-up cards that concern this character: disadvantage, combos.
 * @param {import("#core/types.js").State} state
 * @param {string} name
 * @returns {Array<[string, string]>}
 */
export function dangers(state, name) {
  const { game } = state;
  const character = game?.characters?.[name];
  if (!character) return [];
  /** @type {Array<[string, string]>} */
  const nature = game?.lethal
    ? [["lethal", t("own.danger.lethal")]]
    : game?.minor
      ? [["minor", t("own.danger.minor")]]
      : [];
  if (character.out) return state.step === "over" || character.dead ? [] : [["out", t("own.danger.out")]];
  const { combo } = game;
  /** @param {string[]} moves */
  const cards = (moves) => list(moves.map((move) => choiceName("move", move)));
  const found = nature;
  if (character.face_up.length) {
    const again = ownWords(String(character.face_up.at(-1)));
    const places = { cards: cards(character.face_up), again, more: character.face_up.length };
    found.push(["disadvantage", t("own.danger.disadvantage", places)]);
  }
  if (combo) {
    const places = { cards: cards(combo.moves), bonus: combo.bonus, victim: pretty(combo.victim) };
    if (combo.victim === name) found.push(["combo", t("own.danger.combo", places)]);
    else if (combo.foes.includes(name)) found.push(["chance", t("own.danger.chance", places)]);
  }
  return found;
}
