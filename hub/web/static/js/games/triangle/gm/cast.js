/** Who there is in the story, and what the book's sheets can hold, as far as the frames say. */

import { orderOf, PLACES, TYPES } from "../shapes.js";

/** @typedef {import("../../../core/types").State} State */
/** @typedef {import("../../../core/types").Ui} Ui */
/** What is known of somebody: an NPC's sheet, or what everybody sees. @typedef {import("../wire").Sheet|import("../../../core/wire").PersonView} Known */

/**
 * What the hub offers of one kind of deed.
 * @template {import("../wire").AnyDeed["do"]} Do
 * @param {Ui} ui
 * @param {Do} does
 */
export const offered = (ui, does) =>
  /** @type {Array<import("../types").Offered<Do>>} */ (ui.deeds.filter((/** @type {import("../../../core/types").Deed} */ { deed }) => deed.do === does));

/**
 * Player characters by name, as everybody sees them; none without a story.
 * @param {State} state
 * @returns {Record<string, import("../../../core/wire").PersonView>}
 */
export const party = (state) => state.story?.party ?? {};

/**
 * Everybody who could stand in a scene, the players' characters first.
 * @param {State} state
 * @param {Ui} ui
 */
export function everybody(state, ui) {
  const players = Object.keys(party(state)).filter((name) => !party(state)[name].dead);
  const known = [...new Set([...ui.cast, ...Object.keys(ui.console.npcs)])];
  return { players, others: known.filter((name) => !(name in party(state)) && !ui.console.npcs[name]?.dead) };
}

/**
 * What is known of a character: its public part, or for an NPC its sheet.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
export const sheetOf = (state, ui, name) => party(state)[name] ?? ui.console.npcs[name] ?? null;

/** @type {import("../wire").OwnConsole} */
const NOTHING = { barred: {}, templates: [], level_ups: {} };

/**
 * What the console knows of a story by these books.
 * @param {Ui} ui
 */
export const own = (ui) => /** @type {import("../wire").OwnConsole|null} */ (ui.console.own) ?? NOTHING;

/**
 * Why somebody cannot enter a conflict, as a text's key; empty when it can.
 * @param {Ui} ui
 * @param {string} name
 */
export const barred = (ui, name) => (name in own(ui).barred ? `gm.barred.${own(ui).barred[name]}` : "");

/**
 * A sheet's moves as written: of an NPC they are objects.
 * @param {Known|null} sheet
 */
export const movesOf = (sheet) =>
  (sheet?.moves ?? []).map((move) => (typeof move === "string" ? move : `${move.id} ${move.variant ?? ""}`.trim()));

/**
 * A sheet's specials by id, and whether each is left.
 * @param {Known|null} sheet
 * @returns {Record<string, boolean>}
 */
export const specialsOf = (sheet) =>
  Array.isArray(sheet?.specials)
    ? Object.fromEntries(sheet.specials.map(({ id, used }) => [id, !used]))
    : (sheet?.specials ?? {});

/**
 * @param {Ui} ui
 * @param {string} kind
 * @returns {string[]}
 */
const options = (ui, kind) =>
  Object.values(own(ui).level_ups).flatMap((/** @type {any} */ one) => one.options.map((/** @type {any} */ { choices }) => choices[kind])).filter(Boolean);

/**
 * @param {State} state
 * @param {Ui} ui
 */
const sheets = (state, ui) => [...Object.values(party(state)), ...Object.values(ui.console.npcs)];
/**
 * @param {string} move
 */
const rankOf = (move) => {
  const [action = "", place = ""] = move.split("-");
  return orderOf(action) * PLACES.length + PLACES.indexOf(place);
};

/**
 * Every move that somebody knows or could learn: those of the book that is played.
 * @param {State} state
 * @param {Ui} ui
 */
export function bookMoves(state, ui) {
  const basic = TYPES.flatMap((type) => ["high", "mid", "low"].map((place) => `${type}-${place}`));
  const all = [...basic, ...options(ui, "move"), ...sheets(state, ui).flatMap(movesOf)];
  return [...new Set(all.map((move) => String(move.split(" ")[0])))].sort((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Every special that somebody knows or could learn.
 * @param {State} state
 * @param {Ui} ui
 */
export const bookSpecials = (state, ui) =>
  [...new Set([...options(ui, "special"), ...sheets(state, ui).flatMap((sheet) => Object.keys(specialsOf(sheet)))])].sort();
