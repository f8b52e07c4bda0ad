/** The view between scenes for any family of rules. */

import { h } from "../../core/dom.js";
import { gameOf } from "../../core/game.js";
import { leftSaid } from "../../core/left.js";
import { blue, decided, LASTS_MS, laidAndTurned, open, red, words } from "../../core/shots.js";
import { t } from "../../core/texts.js";

/** Cards of no particular game. @returns {import("../../core/types").Shot[]} */
function shown() {
  const up = open(h("span", { class: "picture star" }, "\u2726"));
  const people = /** @type {const} */ ([
    { ...red(), up },
    { ...blue(), up },
  ]);
  return [...laidAndTurned([...people]), { ...words(3), lasts: LASTS_MS, pieces: () => decided([...people]) }];
}

/** @type {import("../../core/types").Between} */
export const GENERIC = {
  head: ({ over, left }) => ({ head: t(over ? "over.undecided" : "between.broken-off"), more: leftSaid(left) }),
  card: () => null,
  result: ({ over }) => t(over ? "over.undecided" : "between.broken-off"),
  party: ({ seats }) => seats.flatMap(({ characters }) => characters),
  shown,
  last: () => null,
};

/**
 * The public fields of a scene, for a family without an end card.
 * @param {import("../../core/types").State} state
 */
export const fields = (state) =>
  gameOf({ ...state, timer: null, type: "state", family: state.ended_family ?? null }).around({
    ...state,
    seats: [],
    game: state.ended?.game ?? null,
  });
