/** The public view of the triangle: its cards, the two sides, the turn, a problem. */

import { h } from "#core/dom.js";
import { fetchStyle, later } from "#core/later.js";
import { t } from "#core/texts.js";
import { side } from "./people.js";
import { isConflict, isProblem, problemView } from "./problem.js";
import { sidesOf } from "./sides.js";
import { turnView } from "./turn.js";

export * from "./room.js";

/** @typedef {import("#core/types.js").State} State */

export const sentences = ".near";

const opening = later(async () => {
  const [{ opening: found }] = await Promise.all([import("./opening.js"), fetchStyle("opening")]);
  return found;
});
const guide = later(async () => (await import("./guide.js")).guide);

/**
 * The middle of a conflict, between its two sides.
 * @param {import("./types").Conflict} state
 * @param {import("#core/types.js").Drawn} headline
 */
export const middle = (state, headline) =>
  h(
    "section",
    { class: "stage", key: "stage", "aria-label": t("turn", { number: state.turn_number }) },
    headline,
    turnView(state, state.step !== "over") ?? opening(state),
  );

/**
 * The display below its header.
 * @param {State} state
 * @param {import("#core/types.js").Drawn} headline
 */
export function body(state, headline) {
  if (isProblem(state)) {
    return h("main", { class: "simple", key: "simple" }, headline, problemView(state), guide(state));
  }
  if (!isConflict(state)) return headline;
  const [first, second] = sidesOf(state.game);
  return h(
    "main",
    { class: "field", key: "field" },
    side(state, first, "left"),
    middle(state, headline),
    side(state, second, "right"),
    guide(state),
  );
}

/**
 * The turn and the sides, for players' own pages.
 * @param {State} state
 */
export function around(state) {
  if (isProblem(state)) return [problemView(state)];
  if (!isConflict(state)) return [];
  const [first, second] = sidesOf(state.game);
  return [
    turnView(state),
    h("div", { class: "own-sides", key: "sides" }, side(state, first, "left"), side(state, second, "right")),
  ];
}

/**
 * The played cards, without the sides.
 * @param {State} state
 */
export function played(state) {
  if (isProblem(state)) return problemView(state);
  return isConflict(state) && turnView(state, true);
}

/**
 * The same table, small, with the timer.
 * @param {State} state
 * @param {import("#core/types.js").Part} timer
 */
export function miniature(state, timer) {
  if (isProblem(state)) return problemView(state);
  if (!isConflict(state)) return timer;
  const [first, second] = sidesOf(state.game);
  return h(
    "section",
    { class: "mini", key: "mini", "aria-label": t("table.mini") },
    side(state, first, "left"),
    h("div", { class: "stage", key: "stage" }, timer, turnView(state)),
    side(state, second, "right"),
  );
}

/**
 * Identifies a reveal.
 * @param {State} state
 */
export function shown({ game }) {
  const { turn, options } = game ?? { turn: null };
  const open = turn?.stances || options;
  return open ? [turn?.number, Boolean(turn?.stances), Boolean(turn?.moves), Boolean(options)].join() : "";
}
