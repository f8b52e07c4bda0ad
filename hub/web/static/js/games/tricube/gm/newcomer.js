/** A new player character, written down on the console. */

import { h } from "../../../core/dom.js";
import { area, choose, form, line, menu, press, row } from "../../../core/parts.js";
import { pretty, t } from "../../../core/texts.js";
import { linesOf } from "../lasting.js";

/** @typedef {import("../../../core/types").Ui} Ui */

const FORM = "newcomer";
const MOST_NAME = 64;
const MOST_TEXT = 200;
const MOST_LINES = 2000;
const TRAITS = ["agile", "brawny", "crafty"];
/** Of each trait the style that it has where none is chosen. @type {Record<string, string>} */
const USUAL = { agile: "ranged", brawny: "melee", crafty: "mental" };
const STYLES = ["melee", "ranged", "mental"];

/**
 * The sheet, with the keys of a character file.
 * @param {Record<string, any>} said
 */
export function sheetOf(said) {
  const trait = said.trait ?? "agile";
  return {
    name: (said.name ?? "").trim(),
    trait,
    concept: (said.concept ?? "").trim(),
    style: said.style ?? USUAL[trait] ?? "melee",
    perks: linesOf(said.perks),
    quirks: linesOf(said.quirks),
  };
}

/** One of these words. @param {Ui} ui @param {string} field @param {readonly string[]} values @param {string} now */
const oneOf = (ui, field, values, now) =>
  h("div", { class: "row", role: "group", "aria-label": t(`tricube.field.${field}`), key: field },
    h("span", { class: "hint", key: "label" }, t(`tricube.field.${field}`)),
    values.map((value) => choose(ui, FORM, field, value, t(`tricube.${field}.${value}`), { pressed: value === now })));

/** @param {import("../../../core/types").State} state @param {Ui} ui */
export function newcomer(state, ui) {
  const said = form(ui, FORM);
  const sheet = sheetOf(said);
  const seats = state.seats.map(({ seat }) => [seat, pretty(seat)]);
  /** The seat that plays it; without one whoever does so anyway. */
  const at = said.seat ? { seat: said.seat } : {};
  const why = sheet.name && sheet.concept ? "" : t("tricube.new.lacks");
  const name = sheet.name ? pretty(sheet.name) : "";
  /** @param {boolean} joins */
  const add = (joins) =>
    press(ui, t(joins ? "tricube.new.joins" : "tricube.new.waits", { name: name || t("tricube.new.somebody") }), { command: "add-character", sheet, ...at, ...(joins ? { joins } : {}) },
      { place: `add sheet ${joins}`, kind: joins ? "offer default" : "offer", why, after: FORM, hush: !joins });
  return h("div", { class: "form", key: "newcomer" },
    h("p", { class: "hint" }, t("tricube.new.hint")),
    line(ui, FORM, "name", t("tricube.new.name"), { max: MOST_NAME }),
    oneOf(ui, "trait", TRAITS, sheet.trait),
    line(ui, FORM, "concept", t("tricube.new.concept"), { max: MOST_TEXT }),
    oneOf(ui, "style", STYLES, sheet.style),
    area(FORM, "perks", t("tricube.new.perks"), { max: MOST_LINES, rows: 3 }),
    area(FORM, "quirks", t("tricube.new.quirks"), { max: MOST_LINES, rows: 3 }),
    menu(ui, FORM, "seat", t("tricube.new.seat"), [["", t("tricube.new.seat.none")], ...seats], said.seat ?? ""),
    row(add(true), add(false)));
}
