/**
 * The title of the evening, which the display shows between scenes; and the time limit for choices.
 */

import { h } from "../../core/dom.js";
import { form, line, menu, panel, press } from "../../core/parts.js";
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
    h(
      "div",
      { class: "form", "data-enter": "", key: EVENING },
      line(ui, EVENING, "title", t("gm.evening.title"), { max: MOST, first: state.evening }),
      press(
        ui,
        t("gm.evening.set"),
        { command: "name-evening", title },
        { place: "name evening", after: EVENING, why: title === state.evening ? t("gm.evening.same") : "", hush: true },
      ),
    ),
  );
}

const TIMER = "timer";
/** Time limits to choose from, in seconds; 0 is no limit. */
const TIMES = [0, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];

/** @param {number} seconds */
const lasting = (seconds) => (seconds ? t("gm.timer.s", { seconds }) : t("gm.timer.none"));

/**
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Ui} ui
 */
export function timerPanel(state, ui) {
  const now = state.commit_seconds;
  const times = [...new Set([...TIMES, now])].sort((a, b) => a - b);
  const seconds = Number(form(ui, TIMER).seconds ?? now);
  return panel(
    TIMER,
    t("gm.timer"),
    h(
      "div",
      { class: "form", "data-enter": "", key: TIMER },
      menu(
        ui,
        TIMER,
        "seconds",
        t("gm.timer.seconds"),
        times.map((each) => [String(each), lasting(each)]),
        String(now),
      ),
      press(
        ui,
        t("gm.timer.set"),
        { command: "set-timer", seconds },
        { place: "set timer", after: TIMER, why: seconds === now ? t("gm.timer.same") : "", hush: true },
      ),
    ),
  );
}
