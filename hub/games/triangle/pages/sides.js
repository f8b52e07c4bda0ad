/** The two sides of a conflict, and who has left it. */

import { t } from "#core/texts.js";

/**
 * The names of the two sides, the players' first: the one whose moves are public.
 * @param {import("./types").ConflictView} game
 * @returns {[string, string]}
 */
export function sidesOf(game) {
  /** @param {string} name */
  const open = (name) => Number(game.sides[name].some((member) => game.characters[member].moves !== null));
  const [first = "", second = ""] = Object.keys(game.sides).sort((one, other) => open(other) - open(one));
  return [first, second];
}

/**
 * The two fighters of a turn, that of the left side first.
 * @param {import("./types").InTurn} state
 */
export function duellists(state) {
  const { turn, sides } = state.game;
  const left = sides[sidesOf(state.game)[0]];
  return left.includes(turn.active) ? [turn.active, turn.opponent] : [turn.opponent, turn.active];
}

/**
 * How a character left the conflict; empty if it has not.
 * @param {{dead: boolean, surrendered: boolean, out: boolean}} character
 */
export function goneAs(character) {
  if (character.dead) return "dead";
  if (character.surrendered) return "surrendered";
  return character.out ? "out" : "";
}

/**
 * The same in words.
 * @param {{dead: boolean, surrendered: boolean, out: boolean}} character
 */
export function gone(character) {
  const as = goneAs(character);
  return as && t(`state.${as}`);
}
