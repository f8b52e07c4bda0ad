// @ts-nocheck
/** The GM's word over anything, with its reason: a form that shows the sentence before it is sent. */

import { choiceName, specialName } from "../../games/triangle/cards.js";
import { h } from "../../core/dom.js";
import { written } from "../../games/triangle/names.js";
import { isProblem } from "../../games/triangle/problem.js";
import { TYPES } from "../../games/triangle/shapes.js";
import { writeSplit } from "../../games/triangle/split.js";
import { knows, pretty, sideName, t } from "../../core/texts.js";
import { movesOf, sheetOf, specialsOf } from "../../games/triangle/gm/cast.js";
import { choose, form, line, menu, press, row, stepper, turn } from "../../core/parts.js";

const FORM = "overrule";
/** Clauses about nobody in particular. */
const GENERAL = ["combo", "turn", "loss", "end", "rest"];
/** Clauses that say everything by themselves. */
const ALONE = ["out", "in", "dead", "alive", "free", "rest"];
const RESTS = ["breather", "short"];
const MOST_TURNS = 99;

const clausesOf = (ui) => ui.console.overrules.map((each) => each.clause ?? each.name ?? each);

const characterOf = (state, ui, name) => ({
  ...sheetOf(state, ui, name),
  ...Object.fromEntries(Object.entries(state.game?.characters?.[name] ?? {}).filter(([, value]) => value !== null)),
});

const names = (state, ui) =>
  Object.keys(state.game?.characters ?? state.game?.players ?? { ...state.story?.party, ...ui.console.npcs });

/** Several of some, or none. */
function several(ui, field, options, first) {
  const now = form(ui, FORM)[field] ?? first;
  const next = (value) => (now.includes(value) ? now.filter((one) => one !== value) : [...now, value]);
  const tap = ([value, words]) =>
    turn(words, { form: FORM, field, value: JSON.stringify(next(value)), json: "" }, { pressed: now.includes(value), kind: "quiet chip", key: value });
  return { fields: row(options.map(tap)), text: now.join(" ") || "none" };
}

/** Yes or no. */
function yesOrNo(ui, field, holds) {
  const now = form(ui, FORM)[field] ?? (holds ? "yes" : "no");
  return { fields: row(["yes", "no"].map((value) => choose(ui, FORM, field, value, t(`gm.${value}`), { pressed: now === value }))), text: now };
}

/** How each clause is filled in, and what it says: `{fields, text}`. */
const CLAUSES = {
  energy: (state, ui, who) => {
    const { energy = {}, max = {} } = characterOf(state, ui, who);
    const now = Object.fromEntries(TYPES.map((type) => [type, Number(form(ui, FORM)[`${type} ${who}`] ?? energy[type] ?? 0)]));
    return {
      fields: TYPES.map((type) => stepper(ui, FORM, `${type} ${who}`, t(type), { first: energy[type] ?? 0, most: max[type] })),
      text: writeSplit(now) || "attack 0",
    };
  },
  disadvantage: (state, ui, who) => {
    const { face_up: lying = [] } = characterOf(state, ui, who);
    const moves = [...new Set([...movesOf(characterOf(state, ui, who)), ...lying])];
    return several(ui, `moves ${who}`, moves.map((move) => [move, choiceName("move", move)]), lying);
  },
  specials: (state, ui, who) => {
    const ids = Object.keys(specialsOf(characterOf(state, ui, who)));
    const special = form(ui, FORM)[`special ${who}`] ?? ids[0] ?? "";
    const mode = form(ui, FORM).mode ?? "ready";
    return {
      fields: [
        menu(ui, FORM, `special ${who}`, t("hand.special"), ids.map((id) => [id, specialName(id)]), ids[0] ?? ""),
        row(["ready", "used"].map((value) => choose(ui, FORM, "mode", value, t(`gm.overrule.${value}`), { pressed: mode === value }))),
      ],
      text: special ? `${mode} ${special}` : "",
    };
  },
  zero: (state, ui, who) => several(ui, `zero ${who}`, TYPES.map((type) => [type, t(type)]), characterOf(state, ui, who).zero ?? []),
  rested: (state, ui, who) =>
    several(ui, `rested ${who}`, RESTS.map((kind) => [kind, t(`gm.rest.${kind}`)]), characterOf(state, ui, who).rested ?? []),
  veto: (state, ui, who) => yesOrNo(ui, `veto ${who}`, characterOf(state, ui, who).veto),
  "sits-out": (state, ui, who) => yesOrNo(ui, `sits-out ${who}`, characterOf(state, ui, who).sits_out),
  background: (state, ui, who) => {
    const { backgrounds = {} } = characterOf(state, ui, who);
    const all = Object.keys(backgrounds);
    const name = form(ui, FORM)[`background ${who}`] ?? all[0] ?? "";
    const field = `points ${who} ${name}`;
    return {
      fields: [
        menu(ui, FORM, `background ${who}`, t("option.2"), all.map((each) => [each, each]), name),
        stepper(ui, FORM, field, t("gm.overrule.left"), { first: backgrounds[name] ?? 0 }),
      ],
      text: name && `${written(name, all)} ${form(ui, FORM)[field] ?? backgrounds[name] ?? 0}`,
    };
  },
  turns: (state, ui, who) => {
    const { turns = 0 } = characterOf(state, ui, who);
    return {
      fields: stepper(ui, FORM, `turns ${who}`, t("gm.overrule.turns"), { first: turns, most: MOST_TURNS }),
      text: String(form(ui, FORM)[`turns ${who}`] ?? turns),
    };
  },
  turn: (state, ui) => {
    const { active, opponent } = state.game?.turn ?? {};
    const options = [...[active, opponent].filter(Boolean).map((name) => [`won ${written(name)}`, t("gm.overrule.won", { name: pretty(name) })]), ["tied", t("tie")]];
    const now = form(ui, FORM).turn ?? options[0][0];
    return { fields: row(options.map(([value, words]) => choose(ui, FORM, "turn", value, words, { pressed: now === value }))), text: now };
  },
  loss: (state, ui) => {
    const all = names(state, ui);
    const who = form(ui, FORM).loser ?? state.game?.turn?.loser ?? all[0];
    const total = state.game?.turn?.losses?.[who]?.total ?? 0;
    return {
      fields: [
        menu(ui, FORM, "loser", t("gm.overrule.who"), all.map((name) => [name, pretty(name)]), who),
        stepper(ui, FORM, `loss ${who}`, t("gm.overrule.loss"), { first: total }),
      ],
      text: `${written(who, all)} ${form(ui, FORM)[`loss ${who}`] ?? total}`,
    };
  },
  end: (state, ui) => {
    const sides = Object.keys(state.game?.sides ?? {}).map((side) => [written(side), t("gm.overrule.won", { name: sideName(side) })]);
    const options = [...sides, ["nobody", t("gm.overrule.nobody")]];
    const now = form(ui, FORM).end ?? "nobody";
    return { fields: row(options.map(([value, words]) => choose(ui, FORM, "end", value, words, { pressed: now === value }))), text: now };
  },
};

/** In a problem the clauses name nobody first, and one is called as one of the story's is. */
const OF_PROBLEMS = {
  decider: (state, ui) => {
    const all = Object.keys(state.game.options ?? {});
    const who = form(ui, FORM).decider ?? all[0] ?? "";
    return { fields: menu(ui, FORM, "decider", t("gm.overrule.who"), all.map((name) => [name, pretty(name)]), who), text: written(who) };
  },
  option: (state, ui) => {
    const all = Object.keys(state.game.options ?? {});
    const who = form(ui, FORM).shower ?? all[0] ?? "";
    const now = String(form(ui, FORM).number ?? state.game.options?.[who] ?? 1);
    return {
      fields: [
        menu(ui, FORM, "shower", t("gm.overrule.who"), all.map((name) => [name, pretty(name)]), who),
        row(["1", "2", "3", "4"].map((number) => choose(ui, FORM, "number", number, `${number} ${t(`option.${number}`)}`, { pressed: now === number }))),
      ],
      text: `${written(who, all)} ${now}`,
    };
  },
  outcome: (state, ui) => {
    const now = form(ui, FORM).outcome ?? "success";
    return { fields: row(["success", "failure"].map((each) => choose(ui, FORM, "outcome", each, t(`offer.outcome.${each}`), { pressed: now === each }))), text: now };
  },
  veto: () => ({ fields: h("p", {}, t("gm.overrule.veto")), text: "none" }),
};

/** A clause that is written: a combo, or one of another book. */
const free = (state, ui, clause) => ({
  fields: line(ui, FORM, `text ${clause}`, t("gm.overrule.text"), { first: clause === "combo" ? "none" : "" }),
  text: (form(ui, FORM)[`text ${clause}`] ?? (clause === "combo" ? "none" : "")).trim(),
});

/** The fields of a clause and what they say. */
function clauseForm(state, ui, clause, who) {
  if (isProblem(state.game)) return (OF_PROBLEMS[clause] ?? free)(state, ui, clause);
  if (ALONE.includes(clause)) return { fields: null, text: "" };
  return CLAUSES[clause] ? CLAUSES[clause](state, ui, who) : free(state, ui, clause);
}

/** What the form says now: its fields, the words without their reason, and what is missing. */
function filled(state, ui) {
  const clauses = clausesOf(ui);
  const clause = clauses.includes(form(ui, FORM).clause) ? form(ui, FORM).clause : clauses[0];
  const all = names(state, ui);
  const who = all.includes(form(ui, FORM).who) ? form(ui, FORM).who : all[0];
  const general = GENERAL.includes(clause) || isProblem(state.game);
  const { fields, text } = clauseForm(state, ui, clause, who);
  const what = clause === "energy" ? text : `${clause} ${text}`.trim();
  return { clauses, clause, all, who, general, fields, words: general ? what : `${written(who, all)} ${what}` };
}

/** A key that ends with a number word would be read as one of a plural's forms. */
const clauseName = (clause) => (clause === "zero" ? t("gm.at-zero") : knows(`gm.clause.${clause}`) ? t(`gm.clause.${clause}`) : pretty(clause));

/** The sheet with the form. */
export function overruleSheet(state, ui) {
  const close = turn(t("gm.close"), { sheet: "" }, { key: "close" });
  const title = h("h2", { key: "title" }, t("gm.overrule"));
  if (!clausesOf(ui).length) return [title, h("p", { key: "none" }, t("gm.overrule.none")), row(close)];
  const { clauses, clause, all, who, general, fields, words } = filled(state, ui);
  const why = (form(ui, FORM).why ?? "").trim();
  const said = `overrule ${words} because ${why}`;
  const command = state.phase === "idle" ? { command: "tell-story", deed: said } : { command: "decide", actor: "gm", choice: said };
  return [
    title,
    h(
      "div",
      { class: "form", "data-enter": "", key: "form" },
      menu(ui, FORM, "clause", t("gm.overrule.what"), clauses.map((each) => [each, clauseName(each)]), clause),
      !general && menu(ui, FORM, "who", t("gm.overrule.who"), all.map((name) => [name, pretty(name)]), who),
      h("div", { key: `fields-${clause}-${who}`, class: "form" }, fields),
      line(ui, FORM, "why", t("gm.overrule.why"), { max: 200 }),
      h("p", { class: "written", key: "written" }, t("gm.overrule.written"), " ", h("q", {}, `${words} because ${why || "…"}`)),
      row(
        press(ui, t("gm.overrule.say"), command, { place: FORM, kind: "offer default", why: why ? "" : t("gm.overrule.why.needed"), after: FORM }),
        close,
      ),
    ),
  ];
}
