/** A loss as a sum: 3×2 + 1 + 4 + 1 + 1 = 13. */

import { pretty, t } from "#core/texts.js";
import { choiceName, readChoice } from "./cards.js";

/** @typedef {import("#core/wire.js").LossView} LossView */
/** @typedef {import("#core/wire.js").TurnView} TurnView */
/**
 * A term: its written form, its reason, and its points.
 * @typedef {{written: string|number, what: string, points: number}} Term
 */

/**
 * The terms of a loss, in the book's order; the winner's stance as a product.
 * @param {TurnView} turn
 * @param {string} name whose loss it is
 * @param {LossView} loss
 * @returns {Term[]}
 */
export function termsOf(turn, name, loss) {
  const { stances, moves, winner, loser } = turn;
  const amount = Number(readChoice("stance", stances?.[winner ?? ""] ?? "").amount);
  const fought = moves !== null && name in moves;
  const other = name === turn.active ? turn.opponent : turn.active;
  /** @type {Array<[number, string, (string|number)?]>} */
  const all = [
    [
      loss.stance,
      t("loss.stance", { winner: pretty(winner ?? "") }),
      loss.stance === amount ? amount : t("loss.times", { amount, times: loss.stance / amount }),
    ],
    [loss.own_stance, fought ? t("loss.own") : t("loss.stance", { winner: pretty(loser ?? "") })],
    [loss.base, fought ? choiceName("move", moves[other ?? ""] ?? "") : t("loss.base")],
    [loss.special, t("loss.special")],
    [loss.combo, t("loss.combo")],
    [loss.disadvantage, t("loss.disadvantage")],
  ];
  return all
    .filter(([points]) => points)
    .map(([points, what, written = Math.abs(points)]) => ({ written, what, points }));
}

/**
 * A loss as far as it has been counted: its terms in one line, the total, and how many terms count.
 * @param {TurnView & {counted?: number}} turn `counted`: number of terms shown so far
 * @param {string} name
 * @param {LossView} loss
 */
export function terms(turn, name, loss) {
  const every = termsOf(turn, name, loss);
  const counted = turn.counted ?? every.length + 1;
  const shown = every.slice(0, counted);
  const raw = shown.reduce((points, term) => points + term.points, 0);
  const written = shown
    .map(({ written: each, points }, at) => `${at ? (points < 0 ? "−" : "+") : ""}${points < 0 && !at ? points : each}`)
    .join("")
    .replaceAll(" × ", "×");
  return { written, total: loss.capped && counted > every.length ? loss.total : raw, all: shown.length };
}
