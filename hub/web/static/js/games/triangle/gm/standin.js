// @ts-nocheck
/** When the time to choose is up, the GM may choose for who has not: from what everybody knows. */

import { h } from "../../../core/dom.js";
import { TYPES } from "../shapes.js";
import { pretty, t } from "../../../core/texts.js";
import { lay } from "../../../pages/gm/hand.js";
import { fold } from "../../../core/parts.js";

/** Whether the timer of this phase has run out. */
function timeIsUp(state, ui) {
  const last = ui.chronicle.entries.findLast(({ event }) => ["deadline-set", "deadline-passed"].includes(event.type));
  return state.phase === "sealed" && !state.timer && last?.event.type === "deadline-passed";
}

/** The kind of choice that a step awaits. */
const kindOf = (step) => (step === "specials" ? "special" : step);

/** What somebody could choose, as far as it is public. */
function openTo(state, name) {
  const { energy, available } = state.game.characters?.[name] ?? {};
  const range = (type) => Array.from({ length: energy?.[type] ?? 0 }, (_, at) => `${type} ${at + 1}`);
  return {
    stance: [...TYPES.flatMap(range), "none"],
    move: [...(available ?? []), "surrender"],
    option: ["1", "2", "3", "4"],
    specials: ["none"],
  }[state.step] ?? [];
}

/** A choice for somebody whose time is up; null while there is time, or nothing to choose. */
export function standIn(state, ui, name) {
  const late = state.awaited.includes(name) && !state.committed.includes(name);
  const mine = ui.hands[ui.console.gm_seat]?.actors.some((actor) => actor.name === name);
  if (ui.console.at_zero !== "gm-decides" || !late || mine || !timeIsUp(state, ui)) return null;
  const values = openTo(state, name);
  const kind = kindOf(state.step);
  const offer = (value) => ({ kind, value, choice: `${kind} ${value}`, reason: "", default: false });
  return values.length > 0 && fold(ui, `stand-in-${name}`, t("gm.stand-in", { name: pretty(name) }), () =>
    h("div", { class: `row cards-of ${kind}` }, values.map((value) => lay(ui, name, offer(value)))));
}
