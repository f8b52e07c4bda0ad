/** The display before anything else of it has loaded. */

import { h } from "../core/dom.js";
import { prompt } from "../core/prompt.js";
import { mark } from "../core/shapes.js";
import { storyLine } from "../core/story.js";
import { pretty } from "../core/texts.js";

/**
 * The table's name and the moment in words.
 * @param {import("../core/types").State|null} state
 */
export function curtain(state) {
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
