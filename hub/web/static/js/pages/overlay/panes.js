/** The overlay's panes, readable over any picture: from a state to its elements. */

import { h } from "../../core/dom.js";
import { game } from "../../core/game.js";
import { prompt } from "../../core/prompt.js";
import { storyLine } from "../../core/story.js";
import { pretty, t } from "../../core/texts.js";
import { timer } from "../../core/timer.js";
import { headline } from "../stage.js";

/** @typedef {import("../../core/types").State} State */

/** Places for the panes of the moment; the title is at the opposite edge. */
const PLACES = ["bottom", "top"];

/**
 * The place given in the page's address: `?at=top`.
 * @param {URLSearchParams} asked
 */
export const placeOf = (asked) => PLACES.find((place) => place === asked.get("at")) ?? PLACES[0];

/**
 * The awaited players and whether each has chosen; null if none is awaited.
 * @param {State} state
 */
function waiting({ phase, awaited, committed }) {
  if (!awaited.length || !["sealed", "locked", "decision"].includes(phase)) return null;
  const who = awaited.map((name) => {
    const mode = committed.includes(name) || phase === "locked" ? "committed" : "awaited";
    return h("li", { class: mode, key: name }, h("b", {}, pretty(name)), h("span", {}, t(`seat.${mode}`)));
  });
  return h("ul", { class: `who ${who.length > 2 ? "many" : ""}`, key: "who", "aria-label": t("seats") }, who);
}

/**
 * The scene, the turn and the timer.
 * @param {State} state
 */
function about(state) {
  const { sort, title, turns } = game().scene(state);
  return h(
    "header",
    { class: "pane about", key: "about" },
    h("div", { class: "scene" }, sort !== title && h("p", { class: "eyebrow" }, sort), h("h1", {}, title)),
    turns &&
      state.turn_number > 0 &&
      h("p", { class: "turn-number", key: "turn" }, t("turn", { number: state.turn_number })),
    timer(state),
  );
}

/**
 * The header while nothing is played.
 * @param {State} state
 */
function between(state) {
  const { head } = prompt(state);
  return h(
    "header",
    { class: "pane about", key: "about" },
    h("div", { class: "scene" }, h("p", { class: "eyebrow" }, head), h("h1", {}, state.evening || pretty(state.table))),
  );
}

/**
 * The moment: the current step or decision, the awaited players, and the cards.
 * @param {State} state
 */
function moment(state) {
  const played = game().played(state);
  return h(
    "main",
    { class: "now", key: "now" },
    h("div", { class: "pane said", key: "said" }, headline(state), waiting(state)),
    played && h("div", { class: "pane cards", key: "cards" }, played),
  );
}

/**
 * The whole overlay; only a note while the hub is unreachable.
 * @param {{state: State|null, status: import("../../core/types").Status}} shown
 * @param {string} place
 */
export function overlay({ state, status }, place) {
  const lost = status === "lost" && h("p", { class: "pane away", role: "alert", key: "away" }, t("connection.lost"));
  const story = state && storyLine(state);
  return h(
    "div",
    { class: `air at-${place} ${lost ? "cut-off" : ""}` },
    h(
      "div",
      { class: "above", key: "above" },
      state && (state.game ? about(state) : between(state)),
      lost,
      story && h("div", { class: "pane", key: "story" }, story),
    ),
    state?.game && moment(state),
  );
}
