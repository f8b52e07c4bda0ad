/** The GM's word over anything, with its reason: a form that shows the sentence before it is sent. */

import { choiceName, specialName } from "../cards.js";
import { h } from "../dom.js";
import { TYPES } from "../shapes.js";
import { writeSplit } from "../split.js";
import { knows, pretty, t } from "../texts.js";
import { movesOf, sheetOf, specialsOf } from "./cast.js";
import { choose, form, line, menu, press, row, stepper, turn } from "./parts.js";

const FORM = "overrule";
/** Clauses about nobody in particular. */
const GENERAL = ["combo", "turn", "loss", "end"];
/** Clauses that say everything by themselves. */
const ALONE = ["out", "in", "dead", "alive", "free"];
const MOST_TURNS = 99;

const clausesOf = (ui) => ui.console.overrules.map((each) => each.clause ?? each.name ?? each);

const characterOf = (state, ui, name) => ({
  ...sheetOf(state, ui, name),
  ...Object.fromEntries(Object.entries(state.game?.characters?.[name] ?? {}).filter(([, value]) => value !== null)),
});

const names = (state, ui) =>
  Object.keys(state.game?.characters ?? state.game?.players ?? { ...state.story?.party, ...ui.console.npcs });

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
    const now = form(ui, FORM)[`moves ${who}`] ?? lying;
    const next = (move) => (now.includes(move) ? now.filter((one) => one !== move) : [...now, move]);
    const tap = (move) =>
      turn(choiceName("move", move), { form: FORM, field: `moves ${who}`, value: JSON.stringify(next(move)), json: "" }, {
        pressed: now.includes(move),
        kind: "quiet chip",
        key: move,
      });
    return { fields: row(moves.map(tap)), text: now.join(" ") || "none" };
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
  turns: (state, ui, who) => {
    const { turns = 0 } = characterOf(state, ui, who);
    return {
      fields: stepper(ui, FORM, `turns ${who}`, t("gm.overrule.turns"), { first: turns, most: MOST_TURNS }),
      text: String(form(ui, FORM)[`turns ${who}`] ?? turns),
    };
  },
  turn: (state, ui) => {
    const { active, opponent } = state.game?.turn ?? {};
    const options = [...[active, opponent].filter(Boolean).map((name) => [`won ${name}`, t("gm.overrule.won", { name: pretty(name) })]), ["tied", t("tie")]];
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
      text: `${who} ${form(ui, FORM)[`loss ${who}`] ?? total}`,
    };
  },
  end: (state, ui) => {
    const options = [...Object.keys(state.game?.sides ?? {}), "nobody"];
    const now = form(ui, FORM).end ?? "nobody";
    const words = (side) => (side === "nobody" ? t("gm.overrule.nobody") : t("gm.overrule.won", { name: pretty(side) }));
    return { fields: row(options.map((side) => choose(ui, FORM, "end", side, words(side), { pressed: now === side }))), text: now };
  },
};

/** A clause that is written: a combo, or one of another book. */
const free = (state, ui, clause) => ({
  fields: line(ui, FORM, `text ${clause}`, t("gm.overrule.text"), { first: clause === "combo" ? "none" : "" }),
  text: (form(ui, FORM)[`text ${clause}`] ?? (clause === "combo" ? "none" : "")).trim(),
});

/** What the form says now: its fields, the words without their reason, and what is missing. */
function filled(state, ui) {
  const clauses = clausesOf(ui);
  const clause = clauses.includes(form(ui, FORM).clause) ? form(ui, FORM).clause : clauses[0];
  const all = names(state, ui);
  const who = all.includes(form(ui, FORM).who) ? form(ui, FORM).who : all[0];
  const general = GENERAL.includes(clause);
  const { fields, text } = ALONE.includes(clause) ? { fields: null, text: "" } : (CLAUSES[clause] ?? free)(state, ui, CLAUSES[clause] && !general ? who : clause);
  const what = clause === "energy" ? text : `${clause} ${text}`.trim();
  return { clauses, clause, all, who, general, fields, words: general ? what : `${who} ${what}` };
}

const clauseName = (clause) => (knows(`gm.clause.${clause}`) ? t(`gm.clause.${clause}`) : pretty(clause));

/** The sheet with the form. */
export function overruleSheet(state, ui) {
  const close = turn(t("gm.close"), { sheet: "" }, { key: "close" });
  const title = h("h2", { key: "title" }, t("gm.overrule"));
  if (!clausesOf(ui).length) return [title, h("p", { key: "none" }, t("gm.overrule.none")), row(close)];
  const { clauses, clause, all, who, general, fields, words } = filled(state, ui);
  const why = (form(ui, FORM).why ?? "").trim();
  const written = `overrule ${words} because ${why}`;
  const command = state.phase === "idle" ? { command: "tell-story", deed: written } : { command: "decide", actor: "gm", choice: written };
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
