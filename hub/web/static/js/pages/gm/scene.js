/** Scenes: started from the configuration or the story, and ended. */

import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { campaign, game } from "../../core/game.js";
import { panel, press, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * @param {State} state
 * @param {Ui} ui
 */
function beginForm(state, ui) {
  const prepared = press(
    ui,
    t("gm.scene.prepared"),
    { command: "start-scene" },
    {
      place: "start prepared",
      kind: state.story ? "quiet" : "offer default",
      more: t("gm.scene.prepared.help"),
    },
  );
  const asked = h("div", { class: "row", key: "prepared" }, prepared, ask("prepared"));
  return (state.story && campaign().begin(state, ui, asked)) || asked;
}

/**
 * A link to the form that starts a scene, or the form itself without a story.
 * @param {State} state
 * @param {Ui} ui
 */
export const begin = (state, ui) =>
  state.story
    ? turn(t("gm.scene.begin"), { tab: "scene" }, { kind: "offer default", key: "to-scene" })
    : beginForm(state, ui);

/**
 * The button that ends the scene.
 * @param {State} state
 * @param {Ui} ui
 */
export function endPress(state, ui) {
  const open = state.phase !== "over";
  return press(
    ui,
    game().endName?.(state) ?? t("gm.end.scene"),
    { command: "end-scene" },
    {
      place: "end-scene",
      kind: open ? "quiet" : "offer default",
      more: open ? "" : t("gm.end.over"),
    },
  );
}

/**
 * The scene in play, or the form to start one.
 * @param {State} state
 * @param {Ui} ui
 */
export function scenePanel(state, ui) {
  if (state.phase === "idle") return panel("scene", t("gm.scene.begin"), beginForm(state, ui));
  const { nature, turns, about } = game().scene(state);
  const at = [state.title && nature, state.turn_number > 0 && turns && t("turn", { number: state.turn_number })]
    .filter(Boolean)
    .join(", ");
  return panel(
    "scene",
    state.title || nature,
    at && h("p", { class: "hint" }, at),
    about && h("p", {}, about),
    about && state.story?.stakes && h("p", {}, t("stakes"), " ", state.story.stakes), // the header shows only one of them
    row(endPress(state, ui)),
  );
}
