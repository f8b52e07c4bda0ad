/** The players' characters between scenes: marks, losses, new wording, levels, replacements. */

import { h } from "#core/dom.js";
import { draw } from "#core/forms.js";
import { deedKey, fold, form, line, menu, panel, row, tell } from "#core/parts.js";
import { portrait } from "#core/portrait.js";
import { list, pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { choiceName } from "../cards.js";
import { lessonName, levelForm, levelSteps } from "../levels.js";
import { sign, TYPES } from "../shapes.js";
import { worded } from "../worded.js";
import { offered, own, party } from "./cast.js";
import { WORDING } from "./holds.js";
import { energyLine } from "./npcs.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Deed} Deed */
/**
 * A member of the party, as publicly known.
 * @typedef {import("#core/wire.js").PersonView} Person
 */

/** @type {Array<"belief"|"flaw"|"goal">} */
const TRAITS = ["belief", "flaw", "goal"];

/**
 * Why a deed cannot be done now.
 * @param {Ui} ui
 * @param {import("#core/types.js").DeedValues} deed
 * @returns {string}
 */
const whyNot = (ui, deed) =>
  ui.deeds.find((/** @type {Deed} */ each) => deedKey(each.deed) === deedKey(deed))?.reason ?? "";

/**
 * @param {Ui} ui
 * @param {string} name
 * @param {Person} sheet
 * @param {"belief"|"flaw"|"goal"} key
 * @param {boolean} between scenes, when its text can be edited
 */
function trait(ui, name, sheet, key, between) {
  const { text, marked } = sheet[key];
  const deed = { do: marked ? "unmark" : "mark", name, trait: key };
  return h(
    "li",
    { class: `trait ${marked ? "marked" : ""}`, key },
    h(
      "p",
      {},
      h("b", {}, word(key, t(`gm.${key}`))),
      " ",
      worded(text) ? text : t(between ? "gm.trait.write" : "gm.trait.none"),
      marked ? ` (${t("gm.marked")})` : "",
    ),
    tell(ui, t(marked ? "gm.unmark" : "gm.mark"), deed, {
      why: whyNot(ui, deed),
      more: t(marked ? "gm.unmark.does" : `gm.mark.${key === "goal" ? "reached" : "used"}`),
    }),
  );
}

/**
 * The cost of a failed problem: one press, one point.
 * @param {Ui} ui
 * @param {string} name
 * @param {Record<string, number>} energy
 */
const losses = (ui, name, energy) =>
  TYPES.filter((type) => energy[type]).map((type) => {
    const deed = { do: "lose", name, type, points: 1 };
    const left = energy[type] ?? 0;
    return tell(ui, h("span", { class: "with-sign" }, sign(type), h("span", {}, `${left} → ${left - 1}`)), deed, {
      why: whyNot(ui, deed),
      name: t("gm.lose.point", { name: pretty(name), type: t(type), left, after: left - 1 }),
    });
  });

/**
 * A form to reword a belief, flaw, goal, move or background.
 * @param {Ui} ui
 * @param {string} name
 * @param {Person} sheet
 */
function words(ui, name, sheet) {
  const key = `words-${name}`;
  /**
   * The editable texts with their labels and deeds.
   * @type {Array<{value: string, label: string, deedOf: (words: string) => import("#core/types.js").DeedValues}>}
   */
  const all = [
    ...TRAITS.map((trait) => ({
      value: `rewrite ${trait}`,
      label: t(`gm.${trait}`),
      deedOf: (/** @type {string} */ words) => ({ do: "rewrite", name, trait, words }),
    })),
    ...sheet.moves.map((move) => ({
      value: `rename ${move}`,
      label: choiceName("move", move),
      deedOf: (/** @type {string} */ called) => ({ do: "rename", name, move, called }),
    })),
    ...Object.keys(sheet.backgrounds).map((background) => ({
      value: `background ${background}`,
      label: background,
      deedOf: (/** @type {string} */ called) => ({ do: "background", name, background, called }),
    })),
  ];
  const { deedOf } = all.find(({ value }) => value === form(ui, key).what) ?? all[0];
  const said = (form(ui, key).words ?? "").trim();
  return h(
    "div",
    { class: "form", "data-enter": "", key: "words" },
    menu(
      ui,
      key,
      "what",
      t("gm.words.what"),
      all.map(({ value, label }) => [value, label]),
      all[0].value,
    ),
    line(ui, key, "words", t("gm.words"), { max: 200 }),
    tell(ui, t("gm.words.take"), deedOf(said), {
      place: key,
      kind: "offer",
      why: said ? "" : t("gm.words.none"),
      after: key,
    }),
  );
}

/**
 * The GM confirms directly, because the changes are shown above the button.
 * @param {Ui} ui
 * @param {string} name
 * @returns {import("../levels.js").Settle}
 */
const settle = (ui, name) => ({
  command: (deed) => ({ command: "tell-story", deed }),
  press: (deed, why) =>
    tell(ui, t("gm.level.take", { name: pretty(name) }), deed, {
      place: levelForm(name),
      kind: "offer default",
      why,
      after: levelForm(name),
      seen: true,
    }),
});

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {[string, Person]} person
 */
function person(state, ui, [name, sheet]) {
  const rested = sheet.rested.map((kind) => t(`gm.rest.${kind}`));
  const left = Object.entries(sheet.backgrounds).map(([each, points]) => `${each} ${points}`);
  const between = state.phase === "idle";
  const title = [
    portrait(name),
    h("b", {}, pretty(name)),
    h("i", {}, sheet.dead ? t("state.dead") : t("gm.npc.level", { level: sheet.level })),
    energyLine(sheet),
  ];
  return fold(ui, `person-${name}`, title, () => [
    left.length > 0 && h("p", {}, t("gm.backgrounds", { list: list(left) })),
    h(
      "p",
      {},
      t(sheet.veto ? "gm.veto.left" : "gm.veto.used"),
      rested.length ? ` ${t("gm.rested", { list: list(rested) })}` : "",
    ),
    !sheet.dead &&
      h(
        "ul",
        { class: "traits", key: "traits" },
        TRAITS.map((key) => trait(ui, name, sheet, key, between)),
      ),
    !sheet.dead && between && fold(ui, `lose-${name}`, t("gm.lose"), () => row(losses(ui, name, { ...sheet.energy }))),
    !sheet.dead &&
      between &&
      fold(ui, `level-${name}`, t("gm.level-up"), () =>
        levelSteps(state, ui, name, own(ui).level_ups[name], settle(ui, name)),
      ),
    !sheet.dead && between && fold(ui, `rewrite-${name}`, t("gm.rewrite"), () => words(ui, name, sheet)),
  ]);
}

/**
 * A new character from the reserve who replaces a dead one.
 * @param {Ui} ui
 * @param {import("../types").Offered<"replace">} offer
 */
function replacement(ui, { deed, reason, fields = [] }) {
  const key = `replace-${deed.name} by ${deed.by}`;
  const label = t("gm.replace", { dead: pretty(deed.name), fresh: pretty(deed.by) });
  return fold(ui, key, label, () => {
    const { parts, values } = draw(ui, key, fields, {
      ...WORDING,
      said: (/** @type {string} */ _, /** @type {unknown} */ choices) =>
        lessonName(/** @type {import("../wire").Choices} */ (choices)),
    });
    return h(
      "div",
      { class: "form", key },
      parts,
      tell(ui, label, { ...deed, ...values }, { place: key, kind: "offer", why: reason, after: key }),
    );
  });
}

/**
 * The players' characters; null without a story.
 * @param {State} state
 * @param {Ui} ui
 */
export function charactersPanel(state, ui) {
  if (!state.story) return null;
  return panel(
    "characters",
    t("gm.characters"),
    Object.entries(party(state)).map((each) => person(state, ui, each)),
    offered(ui, "replace").map((each) => replacement(ui, each)),
  );
}
