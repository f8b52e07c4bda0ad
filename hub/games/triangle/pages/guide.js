/** A guide for newcomers in the room: one sentence for each thing on the display now. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";
import { choiceName } from "./cards.js";
import { isProblem } from "./problem.js";
import { sign, TYPES } from "./shapes.js";
import { faceUp } from "./turnings.js";

/** @typedef {import("./types").ConflictView} ConflictView */

/**
 * The terms in use that a newcomer does not know yet.
 * @param {ConflictView} game
 */
function words({ turn, combo, characters }) {
  const found = ["energy"];
  if (turn?.opponent) found.push("stance");
  if (Object.values(characters).some((character) => character.face_up.length)) found.push("disadvantage");
  if (combo || Object.values(turn?.losses ?? {}).some((loss) => loss.combo)) found.push("combo");
  if (doubled(turn)) found.push("times");
  return found;
}

/**
 * The winning move, if it counts the stance behind it more than once.
 * @param {ConflictView["turn"]} turn
 */
function doubled(turn) {
  const { winner, losses, loser, worth, moves } = turn ?? {};
  const times = worth?.[winner ?? ""]?.times ?? 0;
  if (times < 2 || !losses?.[loser ?? ""]?.stance) return null;
  return { times, move: choiceName("move", moves?.[winner ?? ""] ?? "") };
}

/**
 * The guide of a conflict, below everything else; null while specials are listed, which need the
 * room.
 * @param {ConflictView} game
 */
function conflictGuide(game) {
  if (game.turn?.outcome && game.turn.specials.length) return null;
  const places = doubled(game.turn) ?? {};
  return h(
    "dl",
    { class: "guide", key: "guide", "aria-label": t("guide") },
    words(game).map((word) =>
      h(
        "div",
        { key: word },
        h("dt", {}, word === "energy" && TYPES.map((type) => sign(type)), t(`guide.${word}`, places)),
        h("dd", {}, t(`guide.${word}.more`, places)),
      ),
    ),
  );
}

/**
 * The guide of a problem: the meaning of the four numbers, or of the narrator's number once it is
 * known.
 * @param {import("./types").Problem} state
 */
function problemGuide(state) {
  const shown = state.game.decider && faceUp(state, "option", state.game.decider);
  const numbers = shown ? [shown] : ["1", "2", "3", "4"];
  return h(
    "div",
    { class: "guide numbers", key: "guide" },
    !shown && h("p", {}, h("b", {}, t("guide.problem")), " ", t("guide.problem.more")),
    h(
      "ol",
      {},
      numbers.map((number) =>
        h("li", { value: number }, h("b", {}, t(`option.${number}`), ":"), " ", t(`guide.option.${number}`)),
      ),
    ),
  );
}

/**
 * The guide of the current scene.
 * @param {import("./types").Conflict | import("./types").Problem} state
 */
export const guide = (state) => (isProblem(state) ? problemGuide(state) : conflictGuide(state.game));
