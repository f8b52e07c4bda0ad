/** A level-up: what can be learned, with the reason why not the rest, and what goes beside it. */

import { choiceName, specialName } from "../cards.js";
import { h } from "../../../core/dom.js";
import { list, pretty, t } from "../../../core/texts.js";
import { fold, form, line, menu, row, tell, turn } from "../../../core/parts.js";
import { own } from "./cast.js";

/** @typedef {import("../../../core/types").Ui} Ui */
/** Something to learn, and what goes beside it. @typedef {import("../wire").Choices} Lesson */
/** @typedef {{choices: Lesson, reason: string}} Option */

const KINDS = ["move", "energy", "special", "combo", "variant"];

/** What kind of thing it is to learn, or to regain. @param {Lesson} lesson */
const kindOf = ({ combos, variant, energy, special, regain }) =>
  combos ? "combo" : variant ? "variant" : energy ? "energy" : special ? "special" : regain ? "regain" : "move";

/** A variant's card. @param {import("../wire").KnownMove} variant */
const variantName = ({ id, variant }) => choiceName("move", `${id} ${variant}`);

/** Something to learn, in words. @param {Lesson} lesson */
export function lessonName({ move, variant, replaces, combos = [], energy, special }) {
  if (energy) return t("gm.level.energy", { type: t(energy) });
  if (special) return specialName(special);
  if (variant) {
    const name = variantName(variant);
    return replaces ? t("gm.level.instead", { move: name, old: choiceName("move", replaces) }) : name;
  }
  const names = combos.map(({ start, move: next, instead_of: old }) =>
    t(old ? "gm.level.combo.instead" : "gm.level.combo", { start: choiceName("move", start), move: choiceName("move", next), old: old ? choiceName("move", old) : "" }));
  return names.length ? list(names) : choiceName("move", move ?? "");
}

/** @param {Lesson} choices */
const key = (choices) => JSON.stringify(choices);

/**
 * What is picked: several follow-ups, or one thing of another kind.
 * @param {Ui} ui
 * @param {string} name
 * @returns {Lesson[]}
 */
const picked = (ui, name) => form(ui, name).picks ?? [];

/** @param {Lesson[]} picks @param {Lesson} choices */
const has = (picks, choices) => picks.some((each) => key(each) === key(choices));

/** @param {Ui} ui @param {string} name @param {Lesson} choices */
function pickOf(ui, name, choices) {
  const now = picked(ui, name);
  if (has(now, choices)) return now.filter((each) => key(each) !== key(choices));
  return choices.combos ? [...now.filter(({ combos }) => combos), choices] : [choices];
}

/**
 * @param {Ui} ui
 * @param {string} name
 * @param {string} kind
 * @param {Option[]} options
 */
function ofKind(ui, name, kind, options) {
  const open = options.filter(({ reason }) => !reason);
  const closed = options.filter(({ reason }) => reason);
  /** @param {Option} option */
  const button = ({ choices }) =>
    turn(lessonName(choices), { form: name, field: "picks", value: JSON.stringify(pickOf(ui, name, choices)), json: "" }, {
      pressed: has(picked(ui, name), choices),
      kind: "quiet chip",
      key: key(choices),
    });
  const why = () =>
    h("ul", { class: "closed" }, closed.map(({ choices, reason }) => h("li", { key: key(choices) }, h("b", {}, `${lessonName(choices)}:`), " ", reason)));
  return h(
    "div",
    { class: "learn", key: kind },
    open.length > 0 && row(open.map(button)),
    closed.length > 0 && fold(ui, `${name}-closed-${kind}`, t("gm.closed", { number: closed.length }), why),
  );
}

/**
 * The form of one character's next level.
 * @param {Ui} ui
 * @param {string} name
 */
export function levelForm(ui, name) {
  /** @type {{reason?: string, options?: Option[]}} */
  const { reason = "", options = [] } = own(ui).level_ups[name] ?? {};
  const level = `level-up ${name}`;
  const filled = form(ui, level);
  /** @param {string} field */
  const said = (field) => (filled[field] ?? "").trim();
  const regains = options.map(({ choices }) => choices.regain ?? "").filter(Boolean);
  const regain = filled.regain ?? regains[0];
  const picks = picked(ui, level);
  const beside = ["called", "goal", "belief", "flaw"].filter((field) => said(field)).map((field) => [field, said(field)]);
  const combos = picks.flatMap((each) => each.combos ?? []);
  const choices = { ...Object.assign({}, ...picks), ...(combos.length && { combos }), ...(regain && { regain }), ...Object.fromEntries(beside) };
  const deed = { do: "level-up", name, choices };
  const kinds = KINDS.filter((kind) => options.some((option) => kindOf(option.choices) === kind));
  return h(
    "div",
    { class: "form", key: level },
    reason && h("p", { class: "hint" }, t("gm.level.not-yet", { reason })),
    kinds.map((kind) => fold(ui, `${level}-${kind}`, t(`gm.level.${kind}s`), () => ofKind(ui, level, kind, options.filter((one) => kindOf(one.choices) === kind)))),
    line(ui, level, "called", t("gm.level.called"), { max: 64 }),
    regains.length > 0 && menu(ui, level, "regain", t("gm.level.regain"), regains.map((each) => [each, t(`gm.regain.${each}`)]), regain),
    line(ui, level, "goal", t("gm.level.goal"), { max: 200 }),
    tell(ui, t("gm.level.take", { name: pretty(name) }), deed, {
      place: level,
      kind: "offer default",
      why: reason || (picks.length ? "" : t("gm.level.nothing")),
      after: level,
    }),
  );
}
