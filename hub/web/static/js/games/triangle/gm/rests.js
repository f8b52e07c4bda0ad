/** Rests, and the types of energy that come back with them. */

import { h } from "../../../core/dom.js";
import { fold, form, panel, tell, turn } from "../../../core/parts.js";
import { pretty, t } from "../../../core/texts.js";
import { sign, TYPES } from "../shapes.js";
import { party } from "./cast.js";

/** @typedef {import("../../../core/types").State} State */
/** @typedef {import("../../../core/types").Ui} Ui */
/** @typedef {import("../../../core/types").Deed} Deed */

/**
 * The types that a rest asks for, by name: from `breather attack Marit; defend Odo`.
 * @param {string} value
 */
function typesOf(value) {
  const clauses = value.split(" ").slice(1).join(" ").split(";").map((clause) => clause.trim()).filter(Boolean);
  return clauses.map((clause) => [clause.slice(clause.indexOf(" ") + 1), clause.split(" ")[0]]);
}

/**
 * The types among which a character can choose.
 * @param {any} sheet
 * @param {string} kind
 */
function restTypes({ energy, max }, kind) {
  const lowest = Math.min(...TYPES.map((type) => max[type]));
  return TYPES.filter((type) => (kind === "short" ? max[type] === lowest : energy[type] < max[type]));
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Deed} rest
 */
function restForm(state, ui, { value, reason, deed }) {
  const kind = value.split(" ")[0];
  const name = `rest-${kind}`;
  const wanted = typesOf(value).map(([who, type]) => [who, form(ui, name)[who] ?? type]);
  const written = wanted.length ? `rest ${kind} ${wanted.map(([who, type]) => `${type} ${who}`).join("; ")}` : deed;
  /** @type {(who: string, now: string) => (type: string) => import("../../../core/types").Drawn} */
  const choice = (who, now) => (type) =>
    turn([sign(type, t(`${type}.letter`)), t(type)], { form: name, field: who, value: type }, { pressed: now === type, kind: "quiet chip" });
  return h(
    "div",
    { class: "rest", key: name },
    h("h3", {}, t(`gm.rest.${kind}`)),
    h("p", { class: "hint" }, t(`gm.rest.${kind}.help`)),
    !reason && wanted.map(([who, type]) =>
      h("div", { class: "row named", key: `rest-${who}`, role: "group", "aria-label": pretty(who) },
        h("b", {}, pretty(who)), restTypes(party(state)[who], kind).map(choice(who, type)))),
    tell(ui, t("gm.rest.take", { rest: t(`gm.rest.${kind}`) }), written, { place: name, kind: "offer", why: reason, after: name }),
  );
}

/**
 * Rests with their types.
 * @param {State} state
 * @param {Ui} ui
 */
export function restPanel(state, ui) {
  const rests = ui.deeds.filter((/** @type {Deed} */ { kind }) => kind === "rest");
  if (!rests.length) return null;
  return panel("rests", t("gm.rests"), fold(ui, "rests", t("gm.rests.open"), () => rests.map((/** @type {Deed} */ each) => restForm(state, ui, each))));
}
