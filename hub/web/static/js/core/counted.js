/** Points that a player counts out with cards: progress, and how to take one back. */

import { h } from "./dom.js";
import { press } from "./parts.js";
import { tally } from "./prompt.js";
import { t } from "./texts.js";

/**
 * An actor's progress, with a button that takes back the newest point; null if nothing is counted.
 * @param {import("./types").State} state
 * @param {import("./types").Ui} ui
 * @param {import("./types").Asking} asking
 */
export function countedOf(state, ui, { actor, offers }) {
  const counted = state.counted?.[actor];
  if (!counted || !offers.some(({ bounds }) => bounds)) return null;
  const back = press(ui, t("form.counted.less"), { command: "take-back", actor }, { place: `take-back ${actor}` });
  return h(
    "div",
    { class: "row counted", key: "counted" },
    h("b", { key: "far", role: "status" }, tally(counted)),
    back,
  );
}
