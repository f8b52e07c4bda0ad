/** Rests, and the types of energy that they restore. */

import { h } from "#core/dom.js";
import { draw } from "#core/forms.js";
import { fold, panel, tell, turn } from "#core/parts.js";
import { list, pretty, sentence, t } from "#core/texts.js";
import { TYPES } from "../shapes.js";
import { offered, party } from "./cast.js";
import { WORDING } from "./holds.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/**
 * Label each field of a rest with its character's name.
 * @param {import("#core/forms.js").Field} field
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
    !reason &&
      drawn.map(({ who, parts }) =>
        h("div", { class: "row named", key: `rest-${who}` }, h("b", {}, pretty(who)), parts),
      ),
    tell(
      ui,
      t("gm.rest.take", { rest: t(`gm.rest.${deed.kind}`) }),
      { ...deed, ...(fields.length && { types }) },
      { place: name, kind: "offer", why: reason, after: name },
    ),
  );
}

/**
 * The rests with their types.
 * @param {State} _
 * @param {Ui} ui
 */
export function restPanel(_, ui) {
  const rests = offered(ui, "rest");
  if (!rests.length) return null;
  return panel(
    "rests",
    t("gm.rests"),
    fold(ui, "rests", t("gm.rests.open"), () => [
      h("p", { class: "hint", key: "how" }, t("gm.rests.how")),
      rests.map((each) => restForm(ui, each)),
      h("p", { class: "hint", key: "others" }, t("gm.rests.others")),
    ]),
  );
}

/**
 * Whether energy is missing.
 * @param {{energy: import("../wire").Energy, max: import("../wire").Energy}} sheet
 */
const isWorn = ({ energy, max }) => TYPES.some((type) => energy[type] < max[type]);

/**
 * A reminder after a scene: the worn-out characters, with a link to the rests; null if there are
 * none, or no rest is left.
 * @param {State} state
 * @param {Ui} ui
 */
export function worn(state, ui) {
  const hurt = Object.entries(party(state)).filter(([, sheet]) => !sheet.dead && isWorn(sheet));
  if (!hurt.length || offered(ui, "rest").every(({ reason }) => reason)) return null;
  const none = hurt.filter(([, { energy }]) => TYPES.every((type) => !energy[type]));
  const names = (none.length ? none : hurt).map(([name]) => name);
  const npcs = /** @type {Array<[string, import("../wire").Sheet]>} */ (Object.entries(ui.console.npcs)).filter(
    ([, sheet]) => !sheet.dead && isWorn(sheet),
  );
  return h(
    "p",
    { class: "worn", key: "worn" },
    h("span", {}, t(none.length ? "gm.worn.none" : "gm.worn", { names: sentence(list(names)), count: names.length })),
    " ",
    turn(
      t("gm.worn.rest"),
      { go: "story", show: "rests" },
      { kind: none.length ? "offer default" : "quiet", key: "to-rests" },
    ),
    npcs.length > 0 &&
      turn(
        t("gm.worn.yours", { names: list(npcs.map(([name]) => pretty(name))) }),
        { go: "scene" },
        { kind: "quiet", key: "to-npcs" },
      ),
  );
}
