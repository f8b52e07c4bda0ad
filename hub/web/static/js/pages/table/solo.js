/** One hand against the hub, on one screen: the stage, and below it the own reader and hand. */

import { h } from "../../core/dom.js";
import { frame } from "../../core/frame.js";
import { fetchStyle, later } from "../../core/later.js";
import { turn } from "../../core/parts.js";
import { prompt } from "../../core/prompt.js";
import { seatName, t } from "../../core/texts.js";
import { askedPanel } from "../gm/asked.js";
import { directed } from "../gm/directed.js";
import { want } from "../seat/moment.js";
import { cable, hand, isHubs, pad, seatOf, toldLine } from "./hands.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {import("../../core/types").TabletopReader} TabletopReader */

/** The fold that holds every seat and the GM's panels. */
const WHOLE = "whole-table";

const styled = later(async () => {
  await Promise.all(["room", "solo"].map(fetchStyle));
  return () => "styled";
});

/**
 * The reader of the only person at the table, while the hub plays everybody else and is the GM; null
 * at any other table.
 * @param {State|null} state
 * @param {Ui} ui
 * @returns {TabletopReader|null}
 */
export function ownReader(state, ui) {
  if (!state || !directed(state, ui)) return null;
  /** @type {TabletopReader[]} */
  const own = ui.readers.filter((/** @type {TabletopReader} */ { seat }) => {
    const found = seatOf(state, seat);
    return found.characters.length > 0 && !isHubs(state, found);
  });
  return (own.length === 1 && own[0]) || null;
}

/**
 * Whether the page shows one hand now.
 * @param {State|null} state
 * @param {Ui} ui
 */
export const isSolo = (state, ui) => ownReader(state, ui) !== null && !ui.folds.has(WHOLE) && Boolean(styled());

/**
 * The button between one hand and the whole table; null where only the whole table can be shown.
 * @param {State|null} state
 * @param {Ui} ui
 */
export function whole(state, ui) {
  if (!ownReader(state, ui)) return null;
  const open = ui.folds.has(WHOLE);
  return turn(t(open ? "table.solo" : "table.whole"), { fold: WHOLE }, { key: "whole" });
}

/**
 * The questions to the seat's own characters.
 * @param {Ui} ui
 * @param {readonly string[]} characters
 */
const asks = (ui, characters) => ({
  ...ui,
  questions: ui.questions.filter((/** @type {{actor: string}} */ { actor }) => characters.includes(actor)),
});

/**
 * The own reader, and beside it what it waits for and the hand, or a question with its answers.
 * @param {State} state
 * @param {Ui} ui
 * @param {TabletopReader} reader
 */
function strip(state, ui, reader) {
  const seat = seatOf(state, reader.seat);
  const own = ui.hands[seat.seat]?.actors ?? [];
  const asked = asks({ ...ui, actors: own }, seat.characters);
  const question = askedPanel(state, asked, false);
  const turns = reader.tags.some((tag) => ui.deck.some((/** @type {{tag: string}} */ card) => card.tag === tag));
  const odd = !reader.plugged || seat.reader === "lost" || turns;
  return h(
    "section",
    { class: "own-strip seat", key: "strip", "data-panel": reader.seat, "aria-label": seatName(reader.seat) },
    pad(state, ui, seat, reader),
    h(
      "header",
      { class: "own-says", key: "says" },
      !question && h("h2", { key: "want" }, want(state, asked, own[0])),
      toldLine(ui, reader.seat),
      odd && cable(state, ui, seat, reader),
      h("div", { class: "gm own-asks", key: "also" }, askedPanel(state, asked, true)),
    ),
    question ? h("div", { class: "gm own-asks", key: "asks" }, question) : hand(state, ui, seat, reader.tags),
  );
}

/** @param {State} state */
function curtain(state) {
  const { head, more } = prompt(state);
  return h("div", { class: "solo-waits", key: "waits" }, h("h2", {}, head), h("p", {}, more));
}

/**
 * The page for one hand.
 * @param {State} state
 * @param {Ui} ui
 * @param {{waited: number|null, cut: boolean, tools: import("../../core/types").Part}} page `cut`: the
 *   connection is lost
 */
export function solo(state, ui, { waited, cut, tools }) {
  const reader = ownReader(state, ui);
  return [
    h(
      "div",
      { class: `room ${cut ? "cut-off" : ""}`, key: "room" },
      h("div", { class: "box", key: "box" }, state.game ? frame(state, { waited, tools }) : [curtain(state), tools]),
    ),
    reader && strip(state, ui, reader),
  ];
}
