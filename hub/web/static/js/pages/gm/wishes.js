/** Players' wishes, for the GM to grant or decline. */

import { h } from "../../core/dom.js";
import { fold, form, line, panel, row, tell } from "../../core/parts.js";
import { pretty, t, textOf } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * One wish: its deed, a button to grant it after a preview, and one to decline it with a reason.
 * @param {State} state
 * @param {Ui} ui
 * @param {import("../../core/wire").DeedOffered} offer
 */
function wish(state, ui, { deed, told, reason }) {
  const name = String(deed.name);
  const who = pretty(name);
  const key = `wish-${name}`;
  const because = (form(ui, key).because ?? "").trim();
  const waits = state.phase === "idle" ? "" : t("gm.wish.waits");
  const given = /** @type {import("../../core/types").DeedValues} */ (deed);
  return h(
    "li",
    { class: "wish", key },
    h("p", {}, t("gm.wish.wants", { what: told ? textOf(told) : "" })),
    row(
      tell(ui, t("gm.wish.yes"), given, {
        place: `grant ${name}`,
        kind: "offer default",
        why: waits || reason,
        name: t("gm.wish.yes.of", { name: who }),
      }),
    ),
    fold(ui, key, t("gm.wish.no"), () =>
      h(
        "div",
        { class: "form", "data-enter": "", key: "no" },
        line(ui, key, "because", t("gm.wish.because"), { max: 200 }),
        tell(
          ui,
          t("gm.wish.decline", { name: who }),
          { do: "decline", name, because },
          { place: `decline ${name}`, kind: "offer", after: key, why: waits, seen: true },
        ),
      ),
    ),
  );
}

/**
 * The open wishes; nothing if there are none.
 * @param {State} state
 * @param {Ui} ui
 */
export const wishPanel = (state, ui) =>
  ui.console.wishes.length > 0 &&
  panel(
    "wishes",
    t("gm.wishes"),
    h(
      "ul",
      { class: "wish-list" },
      ui.console.wishes.map((/** @type {import("../../core/wire").DeedOffered} */ each) => wish(state, ui, each)),
    ),
  );
