/** Rests, and the types of energy that come back with them. */

import { h } from "../../../core/dom.js";
import { draw } from "../../../core/forms.js";
import { fold, panel, tell } from "../../../core/parts.js";
import { pretty, t } from "../../../core/texts.js";
import { offered } from "./cast.js";
import { WORDING } from "./holds.js";

/** @typedef {import("../../../core/types").State} State */
/** @typedef {import("../../../core/types").Ui} Ui */

/**
 * Of a rest everybody's type is called by whose it is.
 * @param {import("../../../core/forms.js").Field} field
 */
const wordingOf = ({ at: [, who = ""] }) => ({ ...WORDING, label: () => pretty(who) });

/**
 * @param {Ui} ui
 * @param {import("../types").Offered<"rest">} rest
 */
function restForm(ui, { deed, reason, fields = [] }) {
  const name = `rest-${deed.kind}`;
  const drawn = fields.map((field) => ({ who: field.at[1] ?? "", ...draw(ui, name, [field], wordingOf(field)) }));
  const types = Object.assign({}, ...drawn.map(({ values }) => values.types));
  return h(
    "div",
    { class: "rest", key: name },
    h("h3", {}, t(`gm.rest.${deed.kind}`)),
    h("p", { class: "hint" }, t(`gm.rest.${deed.kind}.help`)),
    !reason && drawn.map(({ who, parts }) => h("div", { class: "row named", key: `rest-${who}` }, h("b", {}, pretty(who)), parts)),
    tell(ui, t("gm.rest.take", { rest: t(`gm.rest.${deed.kind}`) }), { ...deed, ...(fields.length && { types }) }, { place: name, kind: "offer", why: reason, after: name }),
  );
}

/**
 * Rests with their types.
 * @param {State} _
 * @param {Ui} ui
 */
export function restPanel(_, ui) {
  const rests = offered(ui, "rest");
  if (!rests.length) return null;
  return panel("rests", t("gm.rests"), fold(ui, "rests", t("gm.rests.open"), () => rests.map((each) => restForm(ui, each))));
}
