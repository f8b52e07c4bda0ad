// @ts-nocheck
/** The players' characters between scenes: marks, losses, other words, levels, replacements, new ones. */

import { choiceName } from "../cards.js";
import { h } from "../../../core/dom.js";
import { written } from "../names.js";
import { list, pretty, t } from "../../../core/texts.js";
import { TYPES } from "../shapes.js";
import { party } from "./cast.js";
import { fresh } from "./fresh.js";
import { levelForm } from "./levels.js";
import { energyLine } from "./npcs.js";
import { fold, form, line, menu, panel, row, tell, turn } from "../../../core/parts.js";

const TRAITS = ["belief", "flaw", "goal"];

const deedFor = (ui, deed) => ui.deeds.find((each) => each.deed === deed);

function trait(ui, name, sheet, key) {
  const { text, marked } = sheet[key];
  const deed = `${marked ? "unmark" : "mark"} ${key} ${name}`;
  return h(
    "li",
    { class: `trait ${marked ? "marked" : ""}`, key },
    h("p", {}, h("b", {}, t(`gm.${key}`)), " ", text || t("gm.trait.none"), marked ? ` (${t("gm.marked")})` : ""),
    tell(ui, t(marked ? "gm.unmark" : "gm.mark"), deed, { why: deedFor(ui, deed)?.reason ?? "" }),
  );
}

/** What the failure of a problem costs: one press, one point. */
const losses = (ui, name, sheet) =>
  TYPES.filter((type) => sheet.energy[type]).map((type) =>
    tell(ui, t("gm.lose.point", { type: t(type) }), `lose ${name} ${type} 1`, { why: deedFor(ui, `lose ${name} ${type} 1`)?.reason ?? "" }));

/** Other words for a belief, a flaw or a goal, a move, a background. */
function words(state, ui, name, sheet) {
  const key = `words-${name}`;
  const backgrounds = Object.keys(sheet.backgrounds);
  const who = written(name, Object.keys(party(state)));
  const what = [
    ...TRAITS.map((each) => [`rewrite ${each} ${who} `, t(`gm.${each}`)]),
    ...sheet.moves.map((move) => [`rename ${who} ${move} as `, choiceName("move", move)]),
    ...backgrounds.map((each) => [`background ${who} ${written(each, backgrounds)} as `, each]),
  ];
  const stem = form(ui, key).what ?? what[0][0];
  const said = (form(ui, key).words ?? "").trim();
  return h(
    "div",
    { class: "form", "data-enter": "", key: "words" },
    menu(ui, key, "what", t("gm.words.what"), what, what[0][0]),
    line(ui, key, "words", t("gm.words"), { max: 200 }),
    tell(ui, t("gm.words.take"), `${stem}${said}`, { place: key, kind: "offer", why: said ? "" : t("gm.words.none"), after: key }),
  );
}

function person(state, ui, [name, sheet]) {
  const rested = sheet.rested.map((kind) => t(`gm.rest.${kind}`));
  const left = Object.entries(sheet.backgrounds).map(([each, points]) => `${each} ${points}`);
  const between = state.phase === "idle";
  const title = [h("b", {}, pretty(name)), h("i", {}, sheet.dead ? t("state.dead") : t("gm.npc.level", { level: sheet.level })), energyLine(sheet)];
  return fold(ui, `person-${name}`, title, () => [
    left.length > 0 && h("p", {}, t("gm.backgrounds", { list: list(left) })),
    h("p", {}, t(sheet.veto ? "gm.veto.left" : "gm.veto.used"), rested.length ? ` ${t("gm.rested", { list: list(rested) })}` : ""),
    !sheet.dead && h("ul", { class: "traits", key: "traits" }, TRAITS.map((key) => trait(ui, name, sheet, key))),
    !sheet.dead && between && fold(ui, `lose-${name}`, t("gm.lose"), () => row(losses(ui, name, sheet))),
    !sheet.dead && between && fold(ui, `level-${name}`, t("gm.level-up"), () => levelForm(ui, name, sheet)),
    !sheet.dead && between && fold(ui, `rewrite-${name}`, t("gm.rewrite"), () => words(state, ui, name, sheet)),
  ]);
}

/** Somebody who follows the dead, out of the reserve. */
function replacement(ui, names, { deed, value, reason }) {
  const dead = names.filter((name) => value.startsWith(`${name} by `)).sort((a, b) => b.length - a.length)[0] ?? "";
  const next = value.slice(`${dead} by `.length);
  const key = `replace-${value}`;
  const levels = (form(ui, key).levels ?? "").trim();
  const written = levels ? `${deed} / ${levels}` : deed;
  const label = t("gm.replace", { dead: pretty(dead), fresh: pretty(next) });
  return fold(ui, key, label, () => h(
    "div",
    { class: "form", key },
    line(ui, key, "levels", t("gm.replace.levels"), { max: 600, hint: "move attack-low / energy grapple" }),
    tell(ui, label, written, { place: key, kind: "offer", why: reason, after: key }),
  ));
}

/** The players' characters; null at a table without a story. */
export function charactersPanel(state, ui) {
  if (!state.story) return null;
  return panel(
    "characters",
    t("gm.characters"),
    Object.entries(party(state)).map((each) => person(state, ui, each)),
    state.phase === "idle" && row(turn(t("gm.overrule.open"), { sheet: "overrule" }, { key: "overrule-between" })),
    ui.deeds.filter(({ kind }) => kind === "replace").map((each) => replacement(ui, Object.keys(party(state)), each)),
    fresh(state, ui),
  );
}
