/** While the hub plays for somebody of the seat: that it does, and the way back. */

import { h } from "../../core/dom.js";
import { pretty, t } from "../../core/texts.js";

/**
 * @param {import("../../core/types").State|null} state
 * @param {import("../../core/types").Ui} ui
 * @param {import("../../core/types").Actor} [actor]
 */
export function takeOver(state, ui, actor) {
  if (!actor || !state?.hub_plays.includes(actor.name)) return null;
  return h(
    "section",
    { class: "own-hub", key: "hub", role: "status" },
    h("p", {}, t("own.hub", { name: pretty(actor.name) })),
    h(
      "button",
      { type: "button", class: "offer default", key: "take", "data-take": actor.name, "aria-disabled": ui.pending(`take ${actor.name}`) ? "true" : null },
      t("own.hub.take"),
    ),
  );
}
