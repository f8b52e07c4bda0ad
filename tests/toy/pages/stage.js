/** The toy near, and on players' pages: each player's approach, dice and tokens. */

import { h } from "#core/dom.js";
import { pretty, t } from "#core/texts.js";
import { dice, isToy, styled } from "./room.js";

export * from "./room.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("./types").Reach} Reach */

/** @param {Reach} state @param {string} name */
function player(state, name) {
  const one = state.game.players[name];
  if (!one) return null;
  return h(
    "article",
    { class: `toy-player ${one.reached ? "reached" : ""} ${one.out ? "out" : ""}`, key: name },
    h("h3", {}, pretty(name)),
    one.approach && h("p", { key: "approach" }, t(`toy.approach.${one.approach}`)),
    one.dice.length > 0 && dice(name, one),
    h("p", { key: "tokens" }, t("toy.tokens", { count: one.tokens })),
    one.out && h("p", { key: "out" }, t("toy.out")),
  );
}

/** @param {Reach} state @param {Part} headline */
function whole(state, headline) {
  styled();
  return [
    h(
      "section",
      { class: "stage", key: "stage", "aria-label": t("toy.scene") },
      headline,
      headline && h("p", { class: "toy-number", key: "number" }, t("toy.number", { number: state.game.number })),
    ),
    Object.keys(state.game.players).map((name) => player(state, name)),
  ];
}

/** @param {State} state @param {import("#core/types.js").Drawn} headline */
export const body = (state, headline) =>
  isToy(state) ? h("main", { class: "toy", key: "toy" }, whole(state, headline)) : headline;

/** @param {State} state */
export const around = (state) => (isToy(state) ? [h("div", { class: "toy", key: "toy" }, whole(state, null))] : []);

/** @param {State} state @param {Part} timer */
export const miniature = (state, timer) =>
  isToy(state)
    ? h("section", { class: "mini toy", key: "mini", "aria-label": t("table.mini") }, whole(state, timer))
    : timer;

/** @param {State} state */
export const played = (state) =>
  isToy(state) ? h("section", { class: "toy", key: "played" }, whole(state, null)) : null;
