// @ts-nocheck
/** Dialogs over the page: the browser holds the focus in them and gives it back. */

import { h, make as made, morph } from "../../core/dom.js";
import { t } from "../../core/texts.js";

/**
 * @param {Element} place of the page that they belong to
 * @param {Object} ui whose `sheet` names the one that is open
 * @param {Object<string, (state: Object, ui: Object) => Array>} kinds what stands in each
 * @param {() => void} render
 */
export function makeSheets(place, ui, kinds, render) {
  const dialog = made(h("dialog", { class: "sheet-over" }));
  place.append(dialog);
  dialog.addEventListener("close", () => {
    // The event comes late: the dialog may be open again, for another sheet.
    if (!ui.sheet || dialog.open) return;
    ui.sheet = null;
    render();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return (state, words) => {
    const make = state && ui.sheet && kinds[ui.sheet.name];
    if (!make) {
      if (dialog.open) dialog.close();
      return;
    }
    dialog.setAttribute("aria-label", t("gm.sheet"));
    const told = h("p", { class: "outcome", role: "status", key: "outcome" }, words);
    morph(dialog, h("div", {}, h("div", { class: "over", key: ui.sheet.name }, make(state, ui), told)));
    if (!dialog.open) dialog.showModal();
  };
}
