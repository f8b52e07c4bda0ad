/** Dialogs over the page: the browser keeps the focus inside and restores it afterwards. */

import { h, make as made, morph } from "../../core/dom.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * The control that the browser focuses when it opens the dialog.
 * @param {HTMLDialogElement} dialog
 * @returns {HTMLElement|null}
 */
const focusable = (dialog) => dialog.querySelector("button, input, select, textarea");

/**
 * @param {Element} place element to append the dialog to
 * @param {Ui} ui its `sheet` names the open one
 * @param {Record<string, (state: State, ui: Ui) => import("../../core/types").Part[]>} kinds
 *   content by name
 * @param {() => void} render
 */
export function makeSheets(place, ui, kinds, render) {
  const dialog = /** @type {HTMLDialogElement} */ (made(h("dialog", { class: "sheet-over" })));
  place.append(dialog);
  dialog.addEventListener("close", () => {
    // The event is asynchronous: the dialog may have been reopened for another sheet.
    if (!ui.sheet || dialog.open) return;
    ui.sheet = null;
    render();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return (/** @type {State|null} */ state, /** @type {string} */ words) => {
    const make = ui.sheet && kinds[ui.sheet.name];
    if (!state || !make) {
      if (dialog.open) dialog.close();
      return;
    }
    dialog.setAttribute("aria-label", t("gm.sheet"));
    const told = h("p", { class: "outcome", role: "status", key: "outcome" }, words);
    morph(dialog, h("div", {}, h("div", { class: "over", key: ui.sheet.name }, make(state, ui), told)));
    if (!dialog.open) dialog.showModal();
    // One sheet may open another: then the pressed button is gone.
    else if (!dialog.contains(document.activeElement)) focusable(dialog)?.focus();
  };
}
