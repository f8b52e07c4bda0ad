/**
 * The beats of a reveal: cards turn over, specials strike, the verdict, the loss term by term,
 * tokens break, a knock-out. Each beat is a state that shows no more than has been played so far;
 * `score.js` sets the times.
 */

import { locked } from "#core/generic.js";
import { termsOf } from "./loss.js";
import { TYPES } from "./shapes.js";
import { gone } from "./sides.js";
import { asCard, turnings } from "./turnings.js";

/** @typedef {import("#core/types.js").AnyGame} AnyGame */
/** @typedef {import("#core/types.js").Beat} Beat */
/** @typedef {import("#core/types.js").StateFrame} StateFrame */
/** @typedef {import("#core/wire.js").CharacterView} CharacterView */
/** @typedef {import("#core/wire.js").TurnView} TurnView */

/**
 * @param {StateFrame|null} before the state shown so far, as the hub has sent it
 * @param {StateFrame} after
 * @returns {Beat[]}
 */
export function beats(before, after) {
  if (!before?.game || !after.game || before.scene !== after.scene || before.seq >= after.seq) return [];
  const cards = turnings(before, after);
  const more = after.game.interested
    ? decided(before, after)
    : [...judged(before, after, cards.length > 0), ...taken(before, after)];
  return [...cards, ...more];
}

/**
 * A state with some fields of its game replaced.
 * @param {StateFrame} state
 * @param {Record<string, unknown>} game the replaced fields
 * @returns {StateFrame}
 */
const showing = (state, game) => ({ ...state, game: /** @type {AnyGame} */ ({ ...state.game, ...game }) });

/**
 * Whose problem it is, and why.
 * @param {StateFrame} before
 * @param {StateFrame} after
 * @returns {Beat[]}
 */
function decided(before, after) {
  if (!after.game?.options || before.game?.options) return [];
  const { options, decider, because, refused, tied } = after.game;
  const state = {
    ...showing(locked(before), { options, decider, because, refused, tied }),
    step: after.step,
    awaited: after.awaited,
  };
  return [{ cue: "verdict", detail: { winner: decider ?? null }, state }];
}

/**
 * Specials that strike, the verdict, and its cost.
 * @param {StateFrame} before
 * @param {StateFrame} after
 * @param {boolean} revealed whether cards have turned over
 * @returns {Beat[]}
 */
function judged(before, after, revealed) {
  const { game: was } = before;
  const turn = after.game?.turn;
  const past = was?.turn;
  if (!turn || !past || past.number !== turn.number) return [];
  /** @type {Beat[]} */
  const found = [];
  /**
   * @param {string} cue
   * @param {Record<string, unknown>} detail
   * @param {Record<string, unknown>} shown
   * @param {string[]} [beside]
   */
  const add = (cue, detail, shown, beside = after.beside) =>
    found.push({ cue, detail, state: { ...showing(locked(before), { turn: { ...turn, ...shown } }), beside } });
  const unjudged = {
    outcome: null,
    why: null,
    winner: null,
    loser: null,
    losses: {},
    stance_uses: {},
    gains: past.gains,
    replaced: past.replaced,
    risks: past.risks,
    counted: 0,
  };
  const uses = revealed ? turn.specials.slice(past.specials.length) : [];
  let beside = before.beside;
  for (const [at, use] of uses.entries()) {
    beside = without(beside, use.player);
    add(
      "strike",
      { name: use.player, special: asCard(use) },
      { ...unjudged, specials: turn.specials.slice(0, past.specials.length + at + 1) },
      beside,
    );
  }
  if (!turn.outcome || past.outcome) return found;
  add("verdict", { winner: turn.winner }, { counted: 0 });
  const losses = Object.entries(turn.losses);
  const terms = losses.map(([name, loss]) => [
    ...termsOf(turn, name, loss).map(({ points }) => points),
    ...(loss.capped ? [0] : []),
  ]);
  for (let counted = 1; counted <= Math.max(0, ...terms.map(({ length }) => length)); counted += 1) {
    const points = terms.map((each) => each[counted - 1] ?? 0);
    const total = terms.map((each) => each.slice(0, counted).reduce((all, one) => all + one, 0));
    add("term", { value: Math.max(...points), total: Math.max(...total) }, { counted });
  }
  return found;
}

/**
 * @param {string[]} names
 * @param {string} name removed once
 */
function without(names, name) {
  const at = names.indexOf(name);
  return names.filter((_, nth) => nth !== at);
}

/**
 * Tokens break one by one, then characters are knocked out.
 * @param {StateFrame} before
 * @param {StateFrame} after
 * @returns {Beat[]}
 */
function taken(before, after) {
  const { game } = after;
  const was = before.game?.characters;
  if (!game?.characters || !was) return [];
  const turn = game.turn?.outcome ? game.turn : before.game?.turn;
  const base = showing(turn?.outcome ? { ...locked(before), beside: after.beside } : before, { turn });
  /** @type {Record<string, CharacterView & {broken?: Record<string, number>, falls?: boolean}>} */
  let shown = was;
  /** @type {Beat[]} */
  const found = [];
  /**
   * @param {string} cue
   * @param {string} name
   * @param {Record<string, unknown>} detail
   * @param {Partial<CharacterView> & {broken?: Record<string, number>, falls?: boolean}} change
   */
  const add = (cue, name, detail, change) => {
    shown = { ...shown, [name]: { ...shown[name], ...change } };
    found.push({ cue, detail: { name, ...detail }, state: showing(base, { characters: shown }) });
  };
  for (const [name, character] of Object.entries(game.characters)) {
    if (!was[name]) continue;
    for (const type of TYPES) {
      const left = character.energy[type];
      for (let points = was[name].energy[type] - 1; points >= left; points -= 1) {
        const { energy, broken } = shown[name];
        add(
          "loss",
          name,
          { type, left: points },
          { energy: { ...energy, [type]: points }, broken: { ...broken, [type]: was[name].energy[type] - points } },
        );
      }
    }
  }
  for (const [name, character] of Object.entries(game.characters)) {
    if (!was[name] || gone(was[name]) || !gone(character)) continue;
    const { out, dead, surrendered } = character;
    add("knock-out", name, {}, { out, dead, surrendered, falls: true });
  }
  return found;
}
