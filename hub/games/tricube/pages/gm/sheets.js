/** The characters between scenes: their sheets, and the GM's deeds. */

import { h } from "#core/dom.js";
import { draw } from "#core/forms.js";
import { fold, panel, tell } from "#core/parts.js";
import { portrait } from "#core/portrait.js";
import { pretty, t } from "#core/texts.js";
import { builder } from "../build.js";
import { awayFor, written } from "../lasting.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {{deed: import("#core/types.js").DeedValues, reason: string, fields?: import("#core/wire.js").Field[]}} Offer */

/** Values with special texts. @type {Record<string, (value: string) => string>} */
const SAID = {
  lasts: (value) => t(`tricube.lasts.${value}`),
  style: (value) => t(`tricube.style.${value}`),
  of: pretty,
};

/** Wording of the forms of a tale. */
export const WORDS = {
  /** @param {string} of */
  label: (of) => t(`tricube.field.${of}`),
  /** @param {string} of @param {unknown} value */
  said: (of, value) => SAID[of]?.(String(value)) ?? String(value),
  flag: () => "",
};

/** The label of a deed's button. @param {import("#core/types.js").DeedValues} deed */
function labelOf(deed) {
  const { do: does, what, who, dead } = deed;
  if (does === "cure") return who ? t("tricube.do.cure.of", { who: pretty(String(who)) }) : t("tricube.do.cure");
  if (does === "gain" || does === "lose") return t(`tricube.do.${does}.${what}`);
  return t(does === "is-dead" && dead === false ? "tricube.do.lives" : `tricube.do.${does}`);
}

/**
 * One deed with its form.
 * @param {Ui} ui
 * @param {Offer} offer
 */
function deed(ui, { deed: given, reason, fields = [] }) {
  const key = ["do", "name", "who", "what"]
    .map((each) => given[each])
    .filter(Boolean)
    .join("-");
  const label = labelOf(given);
  const name = given.name ? t("tricube.do.of", { name: pretty(String(given.name)), what: label }) : label;
  if (!fields.length) return tell(ui, label, given, { place: key, why: reason, name });
  return fold(ui, key, label, () => {
    const { parts, values, reason: lacks } = draw(ui, key, fields, WORDS);
    return h(
      "div",
      { class: "form", "data-enter": "", key },
      parts,
      tell(
        ui,
        t("tricube.do"),
        { ...given, ...values },
        { place: key, kind: "offer default", why: reason || lacks, after: key, name },
      ),
    );
  });
}

/**
 * All sheets, the reserve, and the button for a new session; null without a story.
 * @param {State} state
 * @param {Ui} ui
 */
export function sheetsPanel(state, ui) {
  if (!state.story) return null;
  const party = /** @type {Record<string, any>} */ (/** @type {any} */ (state.story).party ?? {});
  const idle = state.phase === "idle";
  const offers = /** @type {Offer[]} */ (idle ? ui.deeds : []);
  /** @param {string} name */
  const of = (name) => offers.filter(({ deed: each }) => each.name === name);
  const sheets = Object.entries(party).map(([name, sheet]) => {
    const away = awayFor(sheet);
    const label = [portrait(name), h("b", {}, pretty(name)), away && h("i", {}, away)];
    return fold(ui, `sheet-${name}`, label, () => [written(sheet), of(name).map((each) => deed(ui, each))]);
  });
  const waiting = [
    ...new Set(
      offers
        .map(({ deed: each }) => each)
        .filter((each) => ["join", "take-place"].includes(each.do))
        .map((each) => String(each.name)),
    ),
  ];
  return panel(
    "tale-sheets",
    t("tricube.gm.sheets"),
    offers.filter(({ deed: each }) => each.do === "session").map((each) => deed(ui, each)),
    sheets,
    waiting.length > 0 && h("h3", { key: "reserve" }, t("tricube.gm.reserve")),
    waiting.map((name) =>
      h(
        "div",
        { key: `waits-${name}` },
        h("p", {}, portrait(name), h("b", {}, pretty(name))),
        of(name).map((each) => deed(ui, each)),
      ),
    ),
    fold(ui, "newcomer", t("tricube.new"), () => builder(state, ui)),
  );
}
