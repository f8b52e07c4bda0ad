/** A preview of what each undo takes back, in words. */

import { h } from "../../core/dom.js";
import { press, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";
import { isUndoable, lines } from "./sentences.js";

/** @typedef {import("../../core/types").Entry} Entry */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {import("../../core/types").WayBack} WayBack */

/**
 * The chronicle's entries that an undo takes back, oldest first.
 * @param {Ui} ui
 * @param {WayBack} way
 * @returns {Entry[]}
 */
function entriesOf(ui, { what, to_seq: seq }) {
  const since = ui.chronicle.entries.filter(
    (/** @type {Entry} */ entry) => entry.seq > seq && !entry.undone && isUndoable(entry.event.type, what),
  );
  // These take back one thing at a time.
  return ["deed", "end"].includes(what) ? since.slice(0, 1) : since;
}

/**
 * The same in sentences.
 * @param {Ui} ui
 * @param {WayBack} way
 * @returns {string[]}
 */
export const saidOf = (ui, way) => lines(entriesOf(ui, way));

/**
 * The available undos, that of the latest event first.
 * @param {Ui} ui
 * @returns {WayBack[]}
 */
const ways = (ui) => {
  /** @param {WayBack} way */
  const last = (way) => entriesOf(ui, way).at(-1)?.seq ?? way.to_seq;
  return [...ui.console.undo].sort((one, other) => last(other) - last(one));
};

/**
 * Whether an undo leads to a stop of the rules instead of a reveal. If the record is too old for
 * the chronicle, a reveal is assumed.
 * @param {Ui} ui
 * @param {WayBack} way
 */
const toStop = (ui, { what, to_seq: seq }) =>
  what === "play" &&
  ui.chronicle.entries.some((/** @type {Entry} */ entry) => entry.seq === seq && entry.event.type === "stop-made");

/**
 * The basis of the list: when it changes, a list read before is outdated.
 * @param {Ui} ui
 */
const undoListed = (ui) =>
  JSON.stringify(ui.console.undo.map((/** @type {WayBack} */ way) => [way, entriesOf(ui, way).map(({ seq }) => seq)]));

/**
 * One undo: what it takes back, and its button.
 * @param {Ui} ui
 * @param {WayBack} way
 * @param {boolean} first
 * @param {boolean} lies whether a sealed card is on the table
 */
function section(ui, way, first, lies) {
  const said = saidOf(ui, way);
  const stop = toStop(ui, way);
  return h(
    "section",
    { key: `way-${way.what}`, class: "way" },
    h("h2", {}, t(stop ? "gm.undo.stop" : `gm.undo.${way.what}`)),
    h("p", {}, said.length ? t("gm.undo.what") : t(stop ? "gm.undo.only.stop" : "gm.undo.only")),
    h(
      "ul",
      { class: "undone-list" },
      said.map((text, at) => h("li", { key: `line-${at}` }, text)),
    ),
    (way.what === "end" || (way.what === "step" && lies)) && h("p", { class: "hint" }, t("gm.undo.end.cards")),
    row(
      press(
        ui,
        t("gm.undo.do"),
        { command: "undo", ...way },
        { place: first ? "undo" : `undo ${way.what}`, kind: first ? "offer default" : "offer" },
      ),
    ),
  );
}

/**
 * The sheet with the lists.
 * @param {State} state
 * @param {Ui} ui
 */
export function undoSheet(state, ui) {
  const listed = undoListed(ui);
  if (ui.sheet.listed !== undefined && ui.sheet.listed !== listed) ui.sheet.renewed = true;
  ui.sheet.listed = listed;
  const all = ways(ui);
  return [
    h("p", { key: "renewed", role: "status", class: "renewed" }, ui.sheet.renewed ? t("gm.undo.renewed") : ""),
    all.map((way, at) => section(ui, way, at === 0, state.committed.length > 0)),
    !all.length && h("h2", { key: "nothing" }, t("gm.undo.nothing")),
    row(turn(t("gm.undo.leave"), { sheet: "" }, { key: "leave" })),
  ];
}
