/** While the hub or the GM plays for a character: a note, and a button to take over. */

import { h } from "../../core/dom.js";
import { pretty, t } from "../../core/texts.js";

/**
 * @param {import("../../core/types").State|null} state
 * @param {import("../../core/types").Ui} ui
 * @param {import("../../core/types").Actor} [actor]
 */
export function takeOver(state, ui, actor) {
  const by = [state?.hub_plays, state?.gm_plays].findIndex((some) => some?.includes(actor?.name ?? ""));
  if (!actor || by < 0) return null;
  return h(
    "section",
    { class: "own-hub", key: "hub", role: "status" },
    h("p", {}, t(by ? "own.gm-plays" : "own.hub", { name: pretty(actor.name) })),
    h(
      "button",
      {
        type: "button",
        class: "offer default",
        key: "take",
        "data-take": actor.name,
        "data-by": by ? "gm" : "hub",
        "aria-disabled": ui.pending(`take ${actor.name}`) ? "true" : null,
      },
      t("own.hub.take"),
    ),
  );
}
