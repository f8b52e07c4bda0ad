/** A seat without a character: its player builds one and asks the GM to accept it. */

import { h } from "../../core/dom.js";
import { campaign } from "../../core/game.js";
import { fold, press } from "../../core/parts.js";
import { pretty, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * @param {string} title
 * @param {...import("../../core/types").Part} inside
 */
const part = (title, ...inside) =>
  h(
    "section",
    { class: "own-level", key: "fresh", "aria-labelledby": "own-fresh" },
    h("h2", { id: "own-fresh", key: "title" }, title),
    inside,
  );

/**
 * The steps, folded; null if the story's family has no character creation on pages.
 * @param {State} state
 * @param {Ui} ui
 */
export function fresh(state, ui) {
  const { build } = campaign();
  return (
    build &&
    part(
      t("own.fresh"),
      fold(ui, "fresh", t("own.fresh.begin"), () => build(state, ui)),
    )
  );
}

/**
 * A built character that waits for the GM.
 * @param {State} state
 * @param {Ui} ui
 * @param {import("../../core/types").Actor} actor
 */
export const waits = (state, ui, { name }) =>
  part(
    t("own.fresh"),
    h("p", { key: "waits" }, t(state.phase === "idle" ? "own.fresh.waits" : "own.fresh.later", { name: pretty(name) })),
    press(ui, t("own.fresh.back"), { command: "remove-character", name }, { place: `remove ${name}`, seen: true }),
  );
