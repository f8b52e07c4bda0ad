/**
 * The cards that a reveal turns over: beats that start from the state before it, each with one more
 * card.
 */

/** @typedef {import("#core/types.js").Beat} Beat */
/** @typedef {import("#core/types.js").StateFrame} StateFrame */

import { locked } from "#core/generic.js";
import { sidesOf } from "./sides.js";

/** The fields of a turn with the face-up cards; `laid` exists only while specials turn over. */
/** @typedef {Pick<import("#core/wire.js").TurnView, "stances"|"moves"> & {laid?: Record<string, string>}} Cards */
/** @typedef {Partial<Cards>} Laid */
/** @type {Record<string, keyof Laid>} */
const IN_TURN = { stance: "stances", move: "moves", special: "laid", specials: "laid" };

/**
 * A revealed special, as written on a card.
 * @param {{special: string, copied: string|null}} use
 */
export const asCard = ({ special, copied }) => (copied ? `${special} as ${copied}` : special);

/**
 * The value of an actor's face-up card in a step; null while it is face down or absent.
 * @param {{game: StateFrame["game"]}} state
 * @param {string} kind
 * @param {string} name
 */
export function faceUp({ game }, kind, name) {
  const turn = /** @type {Laid|null|undefined} */ (game?.turn);
  const cards = kind === "option" ? game?.options : turn?.[IN_TURN[kind] ?? "moves"];
  return cards && name in cards ? String(cards[name]) : null;
}

/**
 * The left side's cards turn first.
 * @param {import("./types").ConflictView} game
 * @param {string[]} names
 */
function inOrder(game, names) {
  const left = game.sides[sidesOf(game)[0]];
  return [...names].sort((one, other) => Number(left.includes(other)) - Number(left.includes(one)));
}

/**
 * Cards that turn over one after the other.
 * @param {string} kind
 * @param {string[]} names
 * @param {(name: string) => string} cards
 * @param {(cards: Record<string, string>) => StateFrame} shown
 * @returns {Beat[]}
 */
const oneByOne = (kind, names, cards, shown) =>
  names.map((name, at) => ({
    cue: "turn",
    detail: { kind, name, value: cards(name) },
    state: shown(Object.fromEntries(names.slice(0, at + 1).map((each) => [each, cards(each)]))),
  }));

/**
 * The beats shown before `after`; none if no card turns over.
 * @param {StateFrame|null} before the state shown so far, as the hub has sent it
 * @param {StateFrame} after
 * @returns {Beat[]}
 */
export function turnings(before, after) {
  const { game } = after;
  if (!before?.game || !game) return [];
  const { game: was } = before;
  /** @param {Record<string, unknown>} cards */
  const showing = (cards) => ({
    ...locked(before),
    game: /** @type {import("#core/types.js").AnyGame} */ ({ ...was, ...cards }),
  });
  if (game.options && !was.options) {
    const { options } = game;
    return oneByOne(
      "option",
      game.interested ?? Object.keys(options),
      (name) => String(options[name]),
      (shown) => showing({ options: shown }),
    );
  }
  const { turn } = game;
  if (!turn || !was.turn || was.turn.number !== turn.number) return [];
  /** @param {Laid} cards */
  const shown = (cards) => showing({ turn: { ...was.turn, ...cards } });
  if (before.step === "specials" && before.revealed_at !== after.revealed_at) {
    const uses = turn.specials.slice(was.turn.specials.length);
    /** @param {string} name */
    const card = (name) => {
      const use = uses.find(({ player }) => player === name);
      return use ? asCard(use) : "none";
    };
    return oneByOne("special", inOrder(game, before.awaited), card, (laid) => shown({ laid }));
  }
  /** @type {Array<"moves"|"stances">} */
  const places = ["moves", "stances"];
  const place = places.find((each) => turn[each] && !was.turn?.[each]);
  const lie = place && turn[place];
  if (!lie) return [];
  /** @param {string} name */
  const card = (name) => (place === "moves" && turn.replaced[name]) || String(lie[name]);
  const names = inOrder(
    game,
    Object.keys(lie).sort((one) => (one === turn.active ? -1 : 1)),
  );
  return oneByOne(place === "moves" ? "move" : "stance", names, card, (cards) =>
    shown({ stances: turn.stances, [place]: cards }),
  );
}
