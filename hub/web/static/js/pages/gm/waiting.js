/** The awaited players, seat by seat, and remedies for a lost reader. */

import { h } from "../../core/dom.js";
import { campaign, game } from "../../core/game.js";
import { anyOf } from "../../core/generic.js";
import { fold, panel, press, row, turn } from "../../core/parts.js";
import { plug } from "../../core/shapes.js";
import { isBad, liesWords } from "../../core/signals.js";
import { pretty, seatName, t } from "../../core/texts.js";
import { word } from "../../core/words.js";
import { leaves } from "./absence.js";
import { standIn } from "./standin.js";

const PLAYED = ["sealed", "locked", "open", "decision", "paused"];

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {import("../../core/wire").SeatView} SeatView */

/**
 * A character's current activity: `ready`, `choosing` or `watching`.
 * @param {State} state
 * @param {string} name
 */
function modeOf(state, name) {
  if (!state.game || !PLAYED.includes(state.phase) || !state.awaited.includes(name)) return "watching";
  return state.committed.includes(name) ? "ready" : "choosing";
}

/**
 * @param {State} state
 * @param {string} name
 */
function character(state, name) {
  const { away, parts, points } = (state.game ? game() : campaign()).doing(state, name);
  const sits = state.sits_out.includes(name) ? t("gm.mode.sits-out") : "";
  const stays = state.away.includes(name);
  const gone = sits || away;
  const mode = gone ? "away" : modeOf(state, name);
  const part = [
    ...(stays ? [t("gm.stays-away")] : []),
    ...(state.gm_plays.includes(name) ? [t("gm.plays")] : []),
    ...parts,
    ...(state.beside?.includes(name) ? [t("gm.beside")] : []),
  ];
  return h(
    "li",
    { class: `who ${mode}`, key: `who-${name}` },
    h("b", { class: "name" }, pretty(name)),
    state.game && word(`badge.${mode}`, gone || t(`gm.mode.${mode}`), { look: `badge ${mode}`, key: "badge" }),
    points,
    part.length > 0 && h("small", {}, part.join(", ")),
  );
}

/**
 * Remedies for a reader that does not answer.
 * @param {State} state
 * @param {Ui} ui
 * @param {SeatView} seat
 */
function waysOut(state, ui, seat) {
  const awaited = seat.characters.filter((name) => state.awaited.includes(name));
  const sealed = awaited.filter((name) => state.committed.includes(name));
  /** @param {string} name */
  const drop = (name) =>
    press(
      ui,
      t("command.drop-seal", { name: pretty(name) }),
      { command: "drop-seal", actor: name },
      {
        place: `drop ${name}`,
      },
    );
  return h(
    "div",
    { class: "ways", key: "ways" },
    h("p", {}, plug, " ", t("gm.reader.lost")),
    row(
      turn(t("gm.reader.page", { seat: pretty(seat.seat) }), { tab: "keys", show: `key-${seat.seat}` }),
      state.phase === "sealed" && sealed.map(drop),
    ),
  );
}

/**
 * The reader's state in a few words; null if it is fine.
 * @param {string} reader
 */
function readerSaid(reader) {
  if (reader === "ok") return null;
  if (reader === "writes-cards") return h("span", { class: "reader" }, t("between.writes.short"));
  return h("span", { class: "reader bad" }, plug, " ", t(`reader.${reader}.short`));
}

/**
 * Problems of a working but unreliable reader, folded into one line.
 * @param {Ui} ui
 * @param {string} seat
 */
function doubts(ui, seat) {
  const trouble = ui.console.unreliable[seat];
  const said = [
    trouble && t("gm.reader.unreliable", trouble),
    ui.console.blind.includes(seat) && t("gm.reader.blind"),
  ].filter(Boolean);
  return (
    said.length > 0 &&
    fold(ui, `reader-${seat}`, t("gm.reader.about"), () =>
      said.map((each) => h("p", { class: "hint", key: each }, each)),
    )
  );
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {SeatView} seat
 */
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
      readerSaid(trouble && seat.reader === "ok" ? "unreliable" : seat.reader),
    ),
    doubts(ui, seat.seat),
    lies &&
      h(
        "p",
        { class: isBad(lies) ? "lies bad" : "hint", key: "lies", "data-lies": lies },
        liesWords(lies, ui.console.seen_ms[seat.seat]),
      ),
    seat.characters.length > 0 &&
      h(
        "ul",
        {},
        seat.characters.map((name) => character(state, name)),
      ),
    lost && waysOut(state, ui, seat),
    state.game && seat.characters.map((name) => standIn(ui, name)),
    seat.seat !== ui.console.gm_seat && seat.characters.map((name) => leaves(state, ui, name)),
  );
}

/**
 * All seats and their characters.
 * @param {State} state
 * @param {Ui} ui
 */
export function waitingPanel(state, ui) {
  const left = state.awaited.filter((name) => !state.committed.includes(name));
  const waits = ["sealed", "open", "decision"].includes(state.phase) && left.length > 0;
  return panel(
    "waiting",
    waits ? t("other", { who: anyOf(state, left) }) : t("gm.everybody"),
    h(
      "ul",
      { class: "seats" },
      state.seats.map((seat) => seatRow(state, ui, seat)),
    ),
  );
}
