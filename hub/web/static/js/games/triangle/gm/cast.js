// @ts-nocheck
/** Who there is in the story, and what the book's sheets can hold, as far as the frames say. */

import { PLACES, TYPES } from "../shapes.js";

/** Player characters by name, as everybody sees them; none without a story. */
export const party = (state) => state.story?.party ?? {};

/** Everybody who could stand in a scene, the players' characters first. */
export function everybody(state, ui) {
  const players = Object.keys(party(state)).filter((name) => !party(state)[name].dead);
  const known = [...new Set([...ui.cast, ...Object.keys(ui.console.npcs)])];
  return { players, others: known.filter((name) => !(name in party(state)) && !ui.console.npcs[name]?.dead) };
}

/** What is known of a character: its public part, or for an NPC its sheet. */
export const sheetOf = (state, ui, name) => party(state)[name] ?? ui.console.npcs[name] ?? null;

/** Why somebody cannot enter a conflict, as a text's key; empty when it can. */
export const barred = (ui, name) => (name in ui.console.barred ? `gm.barred.${ui.console.barred[name]}` : "");

/** A sheet's moves as written: of an NPC they are objects. */
export const movesOf = (sheet) =>
  (sheet?.moves ?? []).map((move) => (typeof move === "string" ? move : `${move.id} ${move.variant ?? ""}`.trim()));

/** A sheet's specials by id, and whether each is left. */
export const specialsOf = (sheet) =>
  Array.isArray(sheet?.specials)
    ? Object.fromEntries(sheet.specials.map(({ id, used }) => [id, !used]))
    : (sheet?.specials ?? {});

const options = (ui, kind) =>
  Object.values(ui.console.level_ups).flatMap((one) => one.options.filter((option) => option.kind === kind)).map(({ value }) => value);

const sheets = (state, ui) => [...Object.values(party(state)), ...Object.values(ui.console.npcs)];
const orderOf = (move) => {
  const [action, place] = move.split("-");
  return TYPES.indexOf(action) * PLACES.length + PLACES.indexOf(place);
};

/** Every move that somebody knows or could learn: those of the book that is played. */
export function bookMoves(state, ui) {
  const basic = TYPES.flatMap((type) => ["high", "mid", "low"].map((place) => `${type}-${place}`));
  const all = [...basic, ...options(ui, "move"), ...sheets(state, ui).flatMap(movesOf)];
  return [...new Set(all.map((move) => move.split(" ")[0]))].sort((a, b) => orderOf(a) - orderOf(b));
}

/** Every special that somebody knows or could learn. */
export const bookSpecials = (state, ui) =>
  [...new Set([...options(ui, "special"), ...sheets(state, ui).flatMap((sheet) => Object.keys(specialsOf(sheet)))])].sort();
