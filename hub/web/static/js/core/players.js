/** Shows publicly whom the hub or the GM plays, and who sits out. */

import { h } from "./dom.js";
import { list, t } from "./texts.js";

/** @typedef {import("./types").State} State */

/**
 * The characters played by the hub, limited to those in the scene or, between scenes, at a seat.
 * @param {State} state
 */
export function playedByHub({ hub_plays: names = [], seats }) {
  const here = seats.flatMap((seat) => seat.characters);
  return names.filter((name) => name === "gm" || here.includes(name));
}

/**
 * A line about them; nothing if all players play.
 * @param {State} state
 */
export function hubLine(state) {
  const out = [...new Set([...state.sits_out, ...state.away])];
  const all = Object.entries({ "hub.plays": playedByHub(state), "away.gm": state.gm_plays, "away.out": out });
  const said = all.flatMap(([key, names]) => (names.length ? t(key, { names: list(names) }) : []));
  return said.length > 0 && h("p", { class: "hub-plays", key: "hub-plays", role: "status" }, said.join(" · "));
}
