/** Whom the hub plays, for everybody to see. */

import { h } from "./dom.js";
import { list, t } from "./texts.js";

/** @typedef {import("./types").State} State */

/**
 * Whom the hub plays of those who are here: in the scene that is played or, between scenes, at a seat.
 * @param {State} state
 */
export function playedByHub({ hub_plays: names = [], seats }) {
  const here = seats.flatMap((seat) => seat.characters);
  return names.filter((name) => name === "gm" || here.includes(name));
}

/**
 * A line that says so; null if everybody is played by people.
 * @param {State} state
 */
export function hubLine(state) {
  const names = playedByHub(state);
  return names.length ? h("p", { class: "hub-plays", key: "hub-plays" }, t("hub.plays", { names: list(names) })) : null;
}
