/**
 * Character creation: identity, strengths and weaknesses. The hub decides what is allowed: the page
 * asks for previews. The GM may build for any seat; a player only for their own empty seat, and the
 * GM has to agree.
 */

import { h } from "#core/dom.js";
import { judged } from "#core/judged.js";
import { area, choose, form, line, menu, press, row, turn } from "#core/parts.js";
import { inWords } from "#core/reasons.js";
import { language, pretty, sentence, stopped, t } from "#core/texts.js";
import { linesOf, STYLES } from "./lasting.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("./wire").Beginning} Beginning */

const FORM = "newcomer";
const MOST_NAME = 64;
const MOST_TEXT = 200;
const MOST_LINES = 2000;
const TRAITS = ["agile", "brawny", "crafty"];
/** The default style of each trait. @type {Record<string, string>} */
const USUAL = { agile: "ranged", brawny: "melee", crafty: "mental" };
/** Parts of a sheet with several lines. */
const LISTS = ["perks", "quirks"];
const PARTS = ["name", "description", "trait", "concept", "style", ...LISTS];

/**
 * The sheet, with the keys of a character file.
 * @param {Record<string, any>} said
 */
export function sheetOf(said) {
  const trait = said.trait ?? "agile";
  const description = (said.description ?? "").trim();
  return {
    name: (said.name ?? "").trim(),
    ...(description && { description }),
    trait,
    concept: (said.concept ?? "").trim(),
    style: said.style ?? USUAL[trait] ?? "melee",
    perks: linesOf(said.perks),
    quirks: linesOf(said.quirks),
  };
}

/**
 * A ready-made character as form values, so that it can be edited.
 * @param {any} sheet with the keys of a character file
 * @param {Record<string, any>} said
 */
export const taken = ({ name, description = "", trait, concept, style, perks = [], quirks = [] }, { seat }) => ({
  ready: name,
  name,
  description,
  trait,
  concept,
  ...(style && { style }),
  perks: perks.join("\n"),
  quirks: quirks.join("\n"),
  ...(seat && { seat }),
});

/** The label of a part of a sheet. @param {string} key */
function partSaid(key) {
  if (key === "name") return t("tricube.new.name");
  return t(LISTS.includes(key) ? `tricube.lasting.${key}` : `tricube.field.${key}`);
}

/**
 * The objections to a sheet, a sentence each.
 * @param {any} why
 * @returns {string[]}
 */
export function faultsIn(why) {
  if (!why?.code) return [];
  const { place = "", why: inner } = why.values;
  /** @param {string|null} text */
  const said = (text) => (text ? [stopped(sentence(text))] : []);
  const [key = ""] = String(place).split(/[.[]/);
  if (PARTS.includes(key) && inner?.code) return said(`${partSaid(key)}: ${inWords(inner) ?? ""}`);
  const parts = [inner].flat().filter((each) => each?.code);
  return parts.length ? [...new Set(parts.flatMap(faultsIn))] : said(inWords(why));
}

/**
 * Buttons to choose one value.
 * @param {Ui} ui
 * @param {string} field
 * @param {readonly string[]} values
 * @param {string} now
 */
const oneOf = (ui, field, values, now) =>
  h(
    "div",
    { class: "row with-label", role: "group", "aria-label": t(`tricube.field.${field}`), key: field },
    h("span", { class: "hint what", key: "label" }, t(`tricube.field.${field}`)),
    values.map((value) =>
      choose(ui, FORM, field, value, t(`tricube.${field}.${value}`), { pressed: value === now, kind: "quiet chip" }),
    ),
  );

/**
 * Ready-made characters, to be taken unchanged or as a start.
 * @param {Ui} ui
 * @param {State} state
 * @param {Beginning} book
 * @param {Record<string, any>} said
 */
function ready(ui, state, book, said) {
  const known = [...Object.keys(state.story?.party ?? {}), ...(ui.cast ?? [])];
  const some = /** @type {any[]} */ (book.ready).filter((each) => each.language === language());
  /** @param {unknown} value @param {import("#core/types.js").Part} label @param {Object} options */
  const begin = (value, label, options) =>
    turn(label, { form: FORM, field: "*", value: JSON.stringify(value), json: "" }, { kind: "gain", ...options });
  const bare = begin(
    { ...(said.name && said.ready !== said.name && { name: said.name }), ...(said.seat && { seat: said.seat }) },
    [h("b", {}, t("tricube.build.bare")), h("small", {}, t("tricube.build.bare.more"))],
    { key: "build-bare", pressed: !said.ready },
  );
  return h(
    "ul",
    { class: "lessons", key: "ready" },
    h("li", { key: "bare" }, bare),
    some.map((each) =>
      h(
        "li",
        { key: each.name },
        begin(
          taken(each, said),
          [
            h("b", {}, each.name),
            h(
              "small",
              {},
              t("tricube.lasting.archetype", { trait: t(`tricube.trait.${each.trait}`), concept: each.concept }),
            ),
            h("small", {}, each.description),
          ],
          {
            key: `build-ready-${each.name}`,
            pressed: said.ready === each.name,
            why: known.includes(each.name) ? t("tricube.build.plays-already") : "",
          },
        ),
      ),
    ),
  );
}

/**
 * What a character can begin with, requested when first needed and again when the story has
 * changed.
 * @param {Ui} ui
 * @param {State} state
 * @returns {Beginning|null|undefined}
 */
function bookOf(ui, { version: { revision } }) {
  if (ui.beginningOf !== revision && ui.commander.ask("beginning")) ui.beginningOf = revision;
  return ui.beginning;
}

/**
 * The form; null if the hub has nothing to begin with.
 * @param {State} state
 * @param {Ui} ui
 */
export function builder(state, ui) {
  const book = bookOf(ui, state);
  if (book === null) return null;
  if (book === undefined) return h("p", { key: "asked", role: "status" }, t("gm.on-its-way"));
  const said = form(ui, FORM);
  const sheet = sheetOf(said);
  const idle = state.phase === "idle";
  /** The seat that plays the character. Without one, the hub assigns it as usual. */
  const at = ui.console ? (said.seat ? { seat: said.seat } : {}) : { seat: ui.seat };
  /** @param {boolean} joins */
  const command = (joins) => ({ command: "add-character", sheet, ...at, ...(joins ? { joins } : {}) });
  const bare = !sheet.name || !sheet.concept;
  const { answer, now } = judged(ui, state, command(Boolean(ui.console) && idle));
  const faults = !bare && now && answer ? faultsIn(answer.why) : [];
  const why = bare ? t("tricube.new.lacks") : !now ? t("gm.on-its-way") : (faults[0] ?? "");
  const name = sheet.name ? pretty(sheet.name) : t("tricube.new.somebody");
  const hush = !bare && !now;
  return h(
    "div",
    { class: "grow form build", key: FORM },
    ui.console && h("p", { class: "hint", key: "hint" }, t("tricube.new.hint")),
    ready(ui, state, book, said),
    line(ui, FORM, "name", t("tricube.new.name"), { max: MOST_NAME, first: "" }),
    oneOf(ui, "trait", TRAITS, sheet.trait),
    line(ui, FORM, "concept", t("tricube.new.concept"), { max: MOST_TEXT, first: "" }),
    oneOf(ui, "style", STYLES, sheet.style),
    area(FORM, "perks", t("tricube.new.perks"), { max: MOST_LINES, rows: 3, first: said.perks ?? "" }),
    area(FORM, "quirks", t("tricube.new.quirks"), { max: MOST_LINES, rows: 3, first: said.quirks ?? "" }),
    line(ui, FORM, "description", t("tricube.field.description"), { max: MOST_TEXT, first: "" }),
    h("p", { class: "hint", key: "begins" }, t("tricube.build.begins", { karma: book.karma, resolve: book.resolve })),
    ui.console &&
      menu(
        ui,
        FORM,
        "seat",
        t("tricube.new.seat"),
        [["", t("tricube.new.seat.none")], ...state.seats.map(({ seat }) => [seat, pretty(seat)])],
        said.seat ?? "",
      ),
    h(
      "div",
      { class: "lacks", key: "lacks", role: "status" },
      faults.map((each) => h("p", { key: each }, each)),
    ),
    ui.console
      ? row(
          [true, false].map((joins) =>
            press(ui, t(joins ? "tricube.new.joins" : "tricube.new.waits", { name }), command(joins), {
              place: `add sheet ${joins}`,
              kind: joins ? "offer default" : "offer",
              why,
              after: FORM,
              hush: !joins || hush || faults.length > 0,
            }),
          ),
        )
      : press(ui, t("tricube.build.wish"), command(false), {
          place: "add built",
          kind: "offer default",
          why,
          after: FORM,
          seen: true,
          hush: hush || faults.length > 0,
          more: t("tricube.build.wish.more"),
        }),
  );
}
