/** The end of the evening: what is left to do, what can be downloaded, and what persists. */

import { h } from "../../core/dom.js";
import { fold, panel, press, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";
import { recapLink } from "./exports.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * Shown between scenes, once one has been played.
 * @param {State} state
 * @param {Ui} ui
 */
export const farewellPanel = (state, ui) =>
  state.phase === "idle" &&
  Boolean(state.ended) &&
  panel(
    "farewell",
    t("gm.farewell"),
    fold(ui, "farewell", t("gm.farewell.open"), () => [
      state.story && row(turn(t("gm.farewell.story"), { go: "story" }, { kind: "quiet", key: "farewell-story" })),
      recapLink(ui),
      row(
        press(
          ui,
          t(state.evening_over ? "gm.farewell.on" : "gm.farewell.end"),
          { command: "end-evening", on: !state.evening_over },
          { place: "end evening", hush: true },
        ),
      ),
      h("p", { key: "stays" }, t(state.story ? "gm.farewell.stays" : "gm.farewell.over")),
      h(
        "p",
        { class: "hint", key: "display" },
        t(state.evening_over ? "gm.farewell.display.over" : "gm.farewell.display"),
      ),
    ]),
  );
