/** What a reveal turns over: from the state before it, one state after another, each with one more card. */

import { sidesOf } from "./people.js";

/** Where the cards of each kind lie in a turn. */
const IN_TURN = { stance: "stances", move: "moves" };

/** The value of somebody's card that is face up in a step; null while it is face down, or none lies there. */
export function faceUp({ game }, kind, name) {
  const cards = kind === "option" ? game?.options : game?.turn?.[IN_TURN[kind]];
  return cards && name in cards ? String(cards[name]) : null;
}

/** Whoever stands on the left side turns first. */
function inOrder(game) {
  const { turn, sides } = game;
  const left = sides[sidesOf(game)[0]];
  return [turn.active, turn.opponent].sort((one, other) => left.includes(other) - left.includes(one));
}

/** Everybody has chosen, and every card lies face down. */
const locked = (state) => ({
  ...state,
  phase: "locked",
  committed: state.awaited,
  seats: state.seats.map((seat) => ({ ...seat, committed: seat.awaited })),
  timer: null,
});

/**
 * The states to show one after another before `after` holds; none where no card turns over.
 * @param {Object|null} before the state that is shown, as the hub has sent it
 * @param {Object} after
 */
export function turnings(before, after) {
  if (!before?.ruleset || before.scene !== after.scene || before.seq >= after.seq) return [];
  if (after.options && !before.options) return [{ ...locked(before), options: after.options }];
  const { turn } = after;
  if (!turn?.opponent || before.turn?.number !== turn.number) return [];
  const kind = ["moves", "stances"].find((each) => turn[each] && !before.turn[each]);
  if (!kind) return [];
  const names = inOrder(after).filter((name) => name in turn[kind]);
  return names.map((_, at) => {
    const open = Object.fromEntries(names.slice(0, at + 1).map((name) => [name, (kind === "moves" && turn.replaced[name]) || turn[kind][name]]));
    return { ...locked(before), turn: { ...before.turn, stances: turn.stances, [kind]: open } };
  });
}
