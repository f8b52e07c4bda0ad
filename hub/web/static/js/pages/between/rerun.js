/** The three pictures for passers-by in a loop, with all their words beside them. */

import { h } from "../../core/dom.js";
import { onStage } from "../../core/frame.js";
import { t } from "../../core/texts.js";
import { looped } from "./loop.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Shot} Shot */

const BEATS = /** @type {const} */ ([1, 2, 3]);

/**
 * A picture on the stage.
 * @param {State} state
 * @param {{said: string, lead?: string, why?: string}} said
 * @param {import("../../core/types").Setting["pieces"]} pieces
 * @param {import("../../core/types").Part} [quiet] shown in their place
 */
export const staged = (state, said, pieces, quiet = null) =>
  onStage(
    state,
    undefined,
    { moment: true, rests: false, pieces, quiet, ring: [] },
    { ...said, decided: true, next: "" },
  );

/**
 * @param {State} state
 * @param {Shot[]} shots
 */
export function rerun(state, shots) {
  const now = looped(shots);
  return h(
    "section",
    { class: "rerun", key: "rerun", "aria-label": t("between.pictures") },
    h(
      "div",
      { class: "shown door", "aria-hidden": "true" },
      h(
        "div",
        { class: "box", key: "box" },
        h("div", { class: "frame moment", key: "frame" }, staged(state, { said: now.said }, now.pieces())),
      ),
    ),
    h(
      "ol",
      {},
      BEATS.map((beat) => {
        const shot = shots.findLast((one) => one.beat === beat);
        return h(
          "li",
          { class: beat === now.beat ? "now" : "", key: `${beat}` },
          h("b", {}, shot?.said),
          h("span", {}, " ", shot?.more),
        );
      }),
    ),
  );
}
