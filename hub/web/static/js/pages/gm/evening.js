/** What the evening is called: the display shows it between scenes. */

import { h } from "../../core/dom.js";
import { form, line, panel, press } from "../../core/parts.js";
import { t } from "../../core/texts.js";

const EVENING = "evening";
const MOST = 80;

/**
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Ui} ui
 */
export function eveningPanel(state, ui) {
  const title = (form(ui, EVENING).title ?? state.evening).trim();
  return panel(
    EVENING,
    t("gm.evening"),
    h("div", { class: "form", "data-enter": "", key: EVENING },
      line(ui, EVENING, "title", t("gm.evening.title"), { max: MOST, first: state.evening }),
      press(ui, t("gm.evening.set"), { command: "name-evening", title }, { place: "name evening", after: EVENING, why: title === state.evening ? t("gm.evening.same") : "", hush: true })),
  );
}
