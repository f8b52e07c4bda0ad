/** The public part of a seat's page: the game and the story. */

import { writing } from "../../core/bench.js";
import { h } from "../../core/dom.js";
import { game } from "../../core/game.js";
import { hubLine } from "../../core/players.js";
import { lostReaders } from "../../core/seats.js";
import { storyLine } from "../../core/story.js";
import { t } from "../../core/texts.js";

/**
 * The table around the seat; null before there is a scene or a story.
 * @param {import("../../core/types").State|null} state
 */
export function around(state) {
  if (!state) return null;
  const inside = [
    storyLine(state),
    lostReaders(state),
    writing(state),
    hubLine(state),
    ...(state.game ? game().around(state) : []),
  ];
  if (!inside.some(Boolean)) return null;
  return h(
    "section",
    { class: "own-around", key: "around", "aria-label": t("own.around") },
    h("h2", {}, t("own.around")),
    inside,
  );
}
