/** The view between scenes for any family of rules. */

import { gameOf } from "../../core/game.js";
import { leftSaid } from "../../core/left.js";
import { t } from "../../core/texts.js";

/** @type {import("../../core/types").Between} */
export const GENERIC = {
  head: ({ over, left }) => ({ head: t(over ? "over.undecided" : "between.broken-off"), more: leftSaid(left) }),
  card: () => null,
  result: ({ over }) => t(over ? "over.undecided" : "between.broken-off"),
  party: ({ seats }) => seats.flatMap(({ characters }) => characters),
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
