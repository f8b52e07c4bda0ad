// @ts-nocheck
/** A level-up: what can be learned, with the reason why not the rest, and what goes beside it. */

import { choiceName, specialName } from "../cards.js";
import { h } from "../../../core/dom.js";
import { pretty, t } from "../../../core/texts.js";
import { fold, form, line, menu, row, tell, turn } from "../../../core/parts.js";

const KINDS = ["move", "energy", "special", "combo", "variant"];

/** An option in words. */
export function optionName({ kind, value }) {
  if (kind === "energy") return t("gm.level.energy", { type: t(value) });
  if (kind === "special") return specialName(value);
  if (kind === "combo") {
    const [start, move, old] = value.split(" ");
    const names = { start: choiceName("move", start), move: choiceName("move", move), old: old ? choiceName("move", old) : "" };
    return t(old ? "gm.level.combo.instead" : "gm.level.combo", names);
  }
  const [move, old] = value.split("; instead-of ");
  return old ? t("gm.level.instead", { move: choiceName("move", move), old: choiceName("move", old) }) : choiceName("move", move);
}

/** The clauses that are picked: several follow-ups, or one thing of another kind. */
function picked(ui, key) {
  return form(ui, key).picks ?? [];
}

const pickOf = (ui, key, option) => {
  const now = picked(ui, key);
  const has = now.includes(option.deed);
  const combos = now.filter((deed) => deed.startsWith("combo "));
  if (has) return now.filter((deed) => deed !== option.deed);
  return option.kind === "combo" ? [...combos, option.deed] : [option.deed];
};

function kindOf(ui, key, kind, options) {
  const open = options.filter((option) => !option.reason);
  const closed = options.filter((option) => option.reason);
  const button = (option) =>
    turn(optionName(option), { form: key, field: "picks", value: JSON.stringify(pickOf(ui, key, option)), json: "" }, {
      pressed: picked(ui, key).includes(option.deed),
      kind: "quiet chip",
      key: option.deed,
    });
  const list = () =>
    h("ul", { class: "closed" }, closed.map((option) => h("li", { key: option.deed }, h("b", {}, `${optionName(option)}:`), " ", option.reason)));
  return h(
    "div",
    { class: "learn", key: kind },
    open.length > 0 && row(open.map(button)),
    closed.length > 0 && fold(ui, `${key}-closed-${kind}`, t("gm.closed", { number: closed.length }), list),
  );
}

/** What a picked clause says, as values: `variant attack-high +1; instead-of attack-mid -1`. */
function chosen(clause) {
  const [what, ...others] = clause.split("; ");
  const [kind, ...words] = what.split(" ");
  const value = words.join(" ");
  if (kind === "combo") return { combos: [{ start: words[0], move: words[1], ...(words[2] && { instead_of: words[2] }) }] };
  if (kind !== "variant") return { [kind]: value };
  const replaces = others.find((one) => one.startsWith("instead-of "))?.slice("instead-of ".length);
  return { variant: { id: words[0], variant: words[1] }, ...(replaces && { replaces }) };
}

/** The form of one character's next level. */
export function levelForm(ui, name) {
  const { reason = "", options = [] } = ui.console.level_ups[name] ?? {};
  const key = `level-up ${name}`;
  const filled = form(ui, key);
  const said = (field) => (filled[field] ?? "").trim();
  const regains = options.filter(({ kind }) => kind === "regain");
  const regain = filled.regain ?? regains[0]?.deed ?? "";
  const picks = picked(ui, key);
  const beside = ["called", "goal", "belief", "flaw"].filter((field) => said(field)).map((field) => [field, said(field)]);
  const choices = Object.assign({}, ...picks.map(chosen), regain && chosen(regain), Object.fromEntries(beside));
  const combos = picks.map(chosen).flatMap((one) => one.combos ?? []);
  const deed = { do: "level-up", name, choices: { ...choices, ...(combos.length && { combos }) } };
  const kinds = KINDS.filter((kind) => options.some((option) => option.kind === kind));
  return h(
    "div",
    { class: "form", key },
    reason && h("p", { class: "hint" }, t("gm.level.not-yet", { reason })),
    kinds.map((kind) => fold(ui, `${key}-${kind}`, t(`gm.level.${kind}s`), () => kindOf(ui, key, kind, options.filter((one) => one.kind === kind)))),
    line(ui, key, "called", t("gm.level.called"), { max: 64 }),
    regains.length > 0 && menu(ui, key, "regain", t("gm.level.regain"), regains.map((each) => [each.deed, t(`gm.regain.${each.value}`)]), regain),
    line(ui, key, "goal", t("gm.level.goal"), { max: 200 }),
    tell(ui, t("gm.level.take", { name: pretty(name) }), deed, {
      place: key,
      kind: "offer default",
      why: reason || (picks.length ? "" : t("gm.level.nothing")),
      after: key,
    }),
  );
}
