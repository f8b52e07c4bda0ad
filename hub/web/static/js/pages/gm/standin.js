/** When the time to choose is up, the GM may choose for who has not: from what everybody knows. */

import { h } from "../../core/dom.js";
import { game } from "../../core/game.js";
import { pretty, t } from "../../core/texts.js";
import { lay } from "./hand.js";
import { fold } from "../../core/parts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * Whether the timer of this phase has run out.
 * @param {State} state
 * @param {Ui} ui
 */
function timeIsUp(state, ui) {
  const last = ui.chronicle.entries.findLast((/** @type {import("../../core/types").Entry} */ { event }) => ["deadline-set", "deadline-passed"].includes(event.type));
  return state.phase === "sealed" && !state.timer && last?.event.type === "deadline-passed";
}

/**
 * A choice for somebody whose time is up; null while there is time, or nothing to choose.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
export function standIn(state, ui, name) {
  const late = state.awaited.includes(name) && !state.committed.includes(name);
  const mine = ui.hands[ui.console.gm_seat]?.actors.some((/** @type {{name: string}} */ actor) => actor.name === name);
  if (ui.console.at_zero !== "gm-decides" || !late || mine || !timeIsUp(state, ui)) return null;
  const { kind, values } = game().openTo(state, name) ?? { kind: "", values: [] };
  /** @param {string} value */
  const offer = (value) => ({ kind, value, choice: `${kind} ${value}`, reason: "", why: null, default: false });
  return values.length > 0 && fold(ui, `stand-in-${name}`, t("gm.stand-in", { name: pretty(name) }), () =>
    h("div", { class: `row cards-of ${kind}` }, values.map((value) => lay(ui, name, offer(value)))));
}
