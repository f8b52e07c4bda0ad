/** The preview of a command's changes before it is done. */

import { changesList } from "../../core/changes.js";
import { h } from "../../core/dom.js";
import { press, row, turn } from "../../core/parts.js";
import { knows, sentenceOf, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * A command in a sentence, if its button has not said everything.
 * @param {import("../../core/types").Command} command
 * @param {import("../../core/texts.js").Said|null|undefined} told as the log would say it
 */
function commandSaid({ command }, told) {
  if (told) return sentenceOf(told);
  return knows(`gm.look.${command}`) ? t(`gm.look.${command}`) : null;
}

/**
 * The sheet: the command, its changes, and the button that does it.
 * @param {State} state
 * @param {Ui} ui
 */
export function deedSheet(state, ui) {
  const { sheet } = ui;
  const { command, label, place, after } = sheet.given;
  const drawn = JSON.stringify([state.version, state.committed, state.beside]);
  if (sheet.drawn !== drawn || !ui.commander.hasAsked(sheet.asked))
    Object.assign(sheet, { drawn, asked: ui.commander.preview(command) });
  const answer = ui.commander.answerTo(sheet.asked);
  return [
    h("h2", { key: "title" }, label),
    h("p", { key: "deed" }, commandSaid(command, answer?.told)),
    answer
      ? [h("p", { key: "what" }, t("gm.change.what")), changesList(answer)]
      : h("p", { key: "asked", role: "status" }, t("gm.on-its-way")),
    row(
      press(ui, label, command, {
        place,
        kind: "offer default",
        why: answer ? answer.reason : t("gm.on-its-way"),
        hush: true,
        after,
        seen: true,
      }),
      turn(t("gm.undo.leave"), { sheet: "" }, { key: "leave" }),
    ),
  ];
}
