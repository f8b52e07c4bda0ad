/** What an undo would undo, in words, before it is done. */

import { h } from "../dom.js";
import { t } from "../texts.js";
import { press, row, turn } from "./parts.js";
import { isUndoable, lines } from "./sentences.js";

/** The chronicle's entries that an undo would take back. */
const undoable = (state, ui) =>
  ui.console.undo
    ? ui.chronicle.entries.filter(({ seq, event, undone }) => seq > ui.console.undo.seq && !undone && isUndoable(event.type, state.phase === "idle"))
    : [];

/** What the list was made of: when this changes, the list that was read is not the one that holds. */
const undoBasis = (ui, entries) => JSON.stringify([ui.console.undo, entries.map(({ seq }) => seq)]);

/** The sheet with the list. */
export function undoSheet(state, ui) {
  const entries = undoable(state, ui);
  const said = lines(entries);
  const changed = ui.sheet.basis !== undefined && ui.sheet.basis !== undoBasis(ui, entries);
  if (changed) Object.assign(ui.sheet, { renewed: true });
  ui.sheet.basis = undoBasis(ui, entries);
  return [
    h("h2", { key: "title" }, t(state.phase === "idle" ? "gm.undo.story" : "gm.undo.title")),
    h("p", { key: "renewed", role: "status", class: "renewed" }, ui.sheet.renewed ? t("gm.undo.renewed") : ""),
    h("p", { key: "what" }, said.length ? t("gm.undo.what") : t(ui.console.undo ? "gm.undo.only" : "gm.undo.nothing")),
    h("ul", { class: "undone-list", key: "list" }, said.map((text, at) => h("li", { key: `line-${at}` }, text))),
    row(
      press(ui, t("gm.undo.do"), { command: "undo" }, {
        place: "undo",
        kind: "offer default",
        why: ui.console.undo ? "" : t("gm.undo.nothing"),
      }),
      turn(t("gm.undo.leave"), { sheet: "" }, { key: "leave" }),
    ),
  ];
}
