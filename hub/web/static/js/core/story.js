/** The story between scenes: countdowns as clocks, and the stakes. */

import { h, s } from "./dom.js";
import { t } from "./texts.js";

const GAP = 3;

/**
 * A countdown as a ring of boxes, the marked ones filled.
 * @param {import("./wire").CountdownView} countdown
 */
export function clock({ id, name, boxes, marked }) {
  const part = 100 / boxes;
  const arcs = Array.from({ length: boxes }, (_, at) =>
    s("circle", {
      class: at < marked ? "box marked" : "box",
      cx: 24,
      cy: 24,
      r: 19,
      pathLength: 100,
      "stroke-dasharray": `${part - GAP} ${100 - part + GAP}`,
      "stroke-dashoffset": -(at * part + GAP / 2),
    }),
  );
  const words = t("clock.of", { name, marked, boxes });
  return h(
    "li",
    { class: `clock ${marked === boxes ? "full" : ""}`, key: `clock-${id}` },
    h(
      "span",
      { class: "ring", role: "img", "aria-label": words },
      s("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, arcs),
      h("b", {}, `${marked}/${boxes}`),
    ),
    h("span", { class: "name" }, name),
  );
}

/**
 * The countdowns and the stakes; null if there are none.
 * @param {import("./types").State|null} state
 */
export function storyLine(state) {
  const story = state?.story;
  if (!story?.countdowns.length && !story?.stakes) return null;
  return h(
    "section",
    { class: "story-line", key: "story-line", "aria-label": t("story") },
    story.stakes && h("p", { class: "stakes" }, h("i", {}, t("stakes")), " ", story.stakes),
    story.countdowns.length > 0 && h("ul", { class: "clocks" }, story.countdowns.map(clock)),
  );
}
