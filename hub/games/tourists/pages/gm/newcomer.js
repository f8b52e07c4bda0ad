/** The console's form for a new NPC, or for a party with its own sheet. */

import { h } from "#core/dom.js";
import { area, form, line, press, stepper } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";

/** @typedef {import("#core/types.js").Ui} Ui */

const FORM = "newcomer";
const MOST_TEXT = 64;
const MOST_LINES = 2000;
/** A middling Attribute. */
const USUAL = 5;

/** The lines of a field, without empty ones and duplicates. @param {unknown} text */
export const linesOf = (text) => [
  ...new Set(
    String(text ?? "")
      .split("\n")
      .map((each) => each.trim())
      .filter(Boolean),
  ),
];

/**
 * The sheet, with the keys of a character file.
 * @param {Record<string, any>} said
 */
export const sheetOf = (said) => ({
  name: (said.name ?? "").trim(),
  attributes: { [(said.attribute ?? "").trim()]: Number(said.value ?? USUAL) },
  aspects: linesOf(said.aspects),
  weaknesses: linesOf(said.weaknesses),
  reserve_max: Number(said.reserve ?? 0),
});

/** @param {Ui} ui */
export function newcomer(ui) {
  const sheet = sheetOf(form(ui, FORM));
  const named = sheet.name && Object.keys(sheet.attributes)[0];
  return h(
    "div",
    { class: "form", key: "newcomer" },
    h("p", { class: "hint" }, t("tourists.new.hint")),
    line(ui, FORM, "name", t("tourists.new.name"), { max: MOST_TEXT }),
    line(ui, FORM, "attribute", t("tourists.new.attribute"), { max: MOST_TEXT }),
    stepper(ui, FORM, "value", t("tourists.new.value"), { first: USUAL }),
    area(FORM, "aspects", t("tourists.new.aspects"), { max: MOST_LINES }),
    area(FORM, "weaknesses", t("tourists.new.weaknesses"), { max: MOST_LINES }),
    stepper(ui, FORM, "reserve", t("tourists.new.reserve"), { first: 0, most: 20 }),
    press(
      ui,
      sheet.name ? t("tourists.new.add", { name: pretty(sheet.name) }) : t("tourists.new.add.plain"),
      { command: "add-character", sheet },
      { place: "add sheet", kind: "offer default", why: named ? "" : t("tourists.new.lacks"), after: FORM },
    ),
  );
}
