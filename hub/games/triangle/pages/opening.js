/** A conflict before its first turn: the stakes, the two sides, and what beats what. */

import { h } from "#core/dom.js";
import { portrait } from "#core/portrait.js";
import { pretty, t } from "#core/texts.js";
import { legend } from "./legend.js";
import { sidesOf } from "./sides.js";

const MOST_NAMED = 6;

/**
 * @param {string[]} names
 * @param {boolean} named
 */
const lineup = (names, named) =>
  h(
    "ul",
    { class: "lineup" },
    names.map((name) =>
      h("li", { key: name, title: pretty(name) }, portrait(name), named && h("span", {}, pretty(name))),
    ),
  );

/** @param {import("./types").Conflict} state */
export function opening(state) {
  const { sides } = state.game;
  const [first, second] = sidesOf(state.game).map((side) => sides[side] ?? []);
  const named = Math.max(first?.length ?? 0, second?.length ?? 0) <= MOST_NAMED;
  const { stakes } = state.story ?? {};
  return h(
    "section",
    { class: "opening", key: "opening" },
    stakes && h("p", { class: "stake" }, h("i", {}, t("stakes")), h("b", {}, stakes)),
    h(
      "div",
      { class: "lineups" },
      lineup(first ?? [], named),
      h("span", { class: "versus" }, t("versus")),
      lineup(second ?? [], named),
    ),
    legend(state.game),
  );
}
