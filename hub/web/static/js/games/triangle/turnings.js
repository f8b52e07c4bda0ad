// @ts-nocheck
/** What a reveal turns over: from the state before it, one state after another, each with one more card. */

import { sidesOf } from "./people.js";

/** Where the cards of each kind, or of each step, lie in a turn; `laid` is there only while they turn over. */
const IN_TURN = { stance: "stances", move: "moves", special: "laid", specials: "laid" };

/** A special that was shown, as it is written on a card. */
export const asCard = ({ special, copied }) => (copied ? `${special} as ${copied}` : special);

/** The value of somebody's card that is face up in a step; null while it is face down, or none lies there. */
export function faceUp({ game }, kind, name) {
  const cards = kind === "option" ? game?.options : game?.turn?.[IN_TURN[kind]];
  return cards && name in cards ? String(cards[name]) : null;
}

/** Whoever stands on the left side turns first. */
function inOrder(game, names) {
  const left = game.sides[sidesOf(game)[0]];
  return [...names].sort((one, other) => left.includes(other) - left.includes(one));
}

/** Somebody's cards turn over, one after the other. */
const oneByOne = (names, cards, shown) =>
  names.map((_, at) => shown(Object.fromEntries(names.slice(0, at + 1).map((name) => [name, cards(name)]))));

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
  const { game: was } = before ?? {};
  const { game } = after;
  if (!was || !game || before.scene !== after.scene || before.seq >= after.seq) return [];
  const showing = (cards) => ({ ...locked(before), game: { ...was, ...cards } });
  if (game.options && !was.options) return [showing({ options: game.options })];
  const { turn } = game;
  if (!turn || was.turn?.number !== turn.number) return [];
  const shown = (cards) => showing({ turn: { ...was.turn, ...cards } });
  if (before.step === "specials" && before.revealed_at !== after.revealed_at) {
    const used = (name) => turn.specials.slice(was.turn.specials.length).find(({ player }) => player === name);
    const card = (name) => (used(name) ? asCard(used(name)) : "none");
    return oneByOne(inOrder(game, before.awaited), card, (laid) => shown({ laid }));
  }
  const kind = ["moves", "stances"].find((each) => turn[each] && !was.turn[each]);
  if (!kind) return [];
  const card = (name) => (kind === "moves" && turn.replaced[name]) || turn[kind][name];
  const names = inOrder(game, [turn.active, turn.opponent]).filter((name) => name in turn[kind]);
  return oneByOne(names, card, (cards) => shown({ stances: turn.stances, [kind]: cards }));
}
