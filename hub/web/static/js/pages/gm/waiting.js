// @ts-nocheck
/** Whom the table waits for, seat by seat, and the ways out when a reader is gone. */

import { h } from "../../core/dom.js";
import { gone } from "../../games/triangle/people.js";
import { plug, sign, TYPES } from "../../games/triangle/shapes.js";
import { signalWords } from "../../core/signals.js";
import { list, pretty, seatName, t } from "../../core/texts.js";
import { panel, press, row, turn } from "../../core/parts.js";
import { standIn } from "../../games/triangle/gm/standin.js";

const PLAYED = ["sealed", "locked", "open", "decision", "paused"];

/** What somebody does now: `ready`, `choosing` or `watching`; `away` for who is no longer in. */
function modeOf(state, name) {
  const character = state.game?.characters?.[name];
  if (character && gone(character)) return "away";
  if (!state.game || !PLAYED.includes(state.phase) || !state.awaited.includes(name)) return "watching";
  return state.committed.includes(name) ? "ready" : "choosing";
}

const points = (energy) =>
  h(
    "span",
    { class: "points", key: "points" },
    TYPES.map((type) => h("span", { class: type, key: type }, sign(type, t(`${type}.letter`)), h("b", {}, energy[type]))),
  );

function character(state, name) {
  const known = state.game?.characters?.[name] ?? state.story?.party?.[name];
  const mode = modeOf(state, name);
  const { turn: duel, may_act: mayAct = [] } = state.game ?? {};
  const played = Boolean(duel) && !["next", "verdict", "over"].includes(state.step);
  const part = [
    played && duel.active === name && t("badge.turn"),
    played && duel.opponent === name && t("badge.chosen"),
    mayAct.includes(name) && t("badge.may"),
    state.beside?.includes(name) && t("gm.beside"),
  ].filter(Boolean);
  return h(
    "li",
    { class: `who ${mode}`, key: `who-${name}` },
    h("b", { class: "name" }, pretty(name)),
    state.game && h("span", { class: `badge ${mode}` }, mode === "away" ? gone(state.game.characters[name]) : t(`gm.mode.${mode}`)),
    known?.energy && points(known.energy),
    part.length > 0 && h("small", {}, part.join(", ")),
  );
}

/** What can be done about a reader that does not answer. */
function waysOut(state, ui, seat) {
  const awaited = seat.characters.filter((name) => state.awaited.includes(name));
  const sealed = awaited.filter((name) => state.committed.includes(name));
  const drop = (name) =>
    press(ui, t("command.drop-seal", { name: pretty(name) }), { command: "drop-seal", actor: name }, {
      place: `drop ${name}`,
    });
  return h(
    "div",
    { class: "ways", key: "ways" },
    h("p", {}, plug(), " ", t("gm.reader.lost")),
    row(
      turn(t("gm.reader.page", { seat: pretty(seat.seat) }), { tab: "keys", show: `key-${seat.seat}` }),
      state.phase === "sealed" && sealed.map(drop),
    ),
  );
}

/** How a seat's reader is, in a few words. */
function readerSaid(reader) {
  if (reader === "ok") return h("span", { class: "reader" }, t("gm.reader.ok"));
  return h("span", { class: "reader bad" }, plug(), " ", t(`reader.${reader}.short`));
}

function seatRow(state, ui, seat) {
  const lost = seat.reader === "lost";
  const trouble = ui.console.unreliable[seat.seat];
  const lies = ui.console.lies[seat.seat];
  return h(
    "li",
    { class: `at-seat ${lost ? "lost" : ""}`, key: `seat-${seat.seat}` },
    h(
      "p",
      { class: "where" },
      h("span", {}, seatName(seat.seat)),
      readerSaid(trouble && !lost ? "unreliable" : seat.reader),
    ),
    trouble && h("p", { class: "hint", key: "trouble" }, t("gm.reader.unreliable", trouble)),
    ui.console.blind.includes(seat.seat) && h("p", { class: "hint", key: "blind" }, t("gm.reader.blind")),
    lies && h("p", { class: "lies bad", key: "lies", "data-lies": lies }, signalWords(lies)),
    seat.characters.length > 0 && h("ul", {}, seat.characters.map((name) => character(state, name))),
    lost && waysOut(state, ui, seat),
    state.game && seat.characters.map((name) => standIn(state, ui, name)),
  );
}

/** Everybody at the table. */
export function waitingPanel(state, ui) {
  const left = state.awaited.filter((name) => !state.committed.includes(name));
  const waits = ["sealed", "open", "decision"].includes(state.phase) && left.length > 0;
  return panel(
    "waiting",
    waits ? t("other", { who: list(left) }) : t("gm.everybody"),
    h("ul", { class: "seats" }, state.seats.map((seat) => seatRow(state, ui, seat))),
  );
}
