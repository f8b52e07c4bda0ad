/**
 * The display while nothing is played: first a curtain, then, once loaded, the view between scenes.
 */

import { h } from "../core/dom.js";
import { later } from "../core/later.js";
import { prompt } from "../core/prompt.js";
import { mark } from "../core/shapes.js";
import { storyLine } from "../core/story.js";
import { pretty } from "../core/texts.js";

/** @typedef {import("../core/types").State} State */

const whole = later(async () => (await import("./between/whole.js")).prepare());

/**
 * The curtain, before there is a scene or a state.
 * @param {State|null} state
 */
function curtain(state) {
  const { head, more } = prompt(state);
  return [
    storyLine(state),
    h(
      "main",
      { class: "curtain", key: "curtain" },
      mark,
      h("p", { class: "eyebrow" }, state ? pretty(state.table) : "Facedown"),
      h("h1", {}, head),
      h("p", {}, more),
    ),
  ];
}

/** Everything below the banners, without a scene. @param {State|null} state */
export const between = (state) => (state && whole(state)) || curtain(state);
