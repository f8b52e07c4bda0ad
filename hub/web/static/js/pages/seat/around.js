// @ts-nocheck
/** What a seat's page shows of everybody: the turn, the sides, the story. Public, all of it. */

import { h } from "../../core/dom.js";
import { lostReaders, seatRow, side, sidesOf } from "../../games/triangle/people.js";
import { isProblem, problemView } from "../../games/triangle/problem.js";
import { storyLine } from "../../core/story.js";
import { t } from "../../core/texts.js";
import { turnView } from "../../games/triangle/turn.js";

/** The table around the seat; null before there is a scene or a story. */
export function around(state) {
  if (!state) return null;
  const { game } = state;
  const inside = [storyLine(state), lostReaders(state)];
  if (isProblem(game)) inside.push(problemView(state));
  else if (game?.characters) {
    const [first, second] = sidesOf(game);
    inside.push(
      turnView(state),
      h("div", { class: "own-sides", key: "sides" }, side(state, first, "left"), side(state, second, "right")),
    );
  } else if (game) inside.push(seatRow(state));
  if (!inside.some(Boolean)) return null;
  return h("section", { class: "own-around", key: "around", "aria-label": t("own.around") }, h("h2", {}, t("own.around")), inside);
}
