/** Call for rolls in a few presses: the challenge, its difficulty, the trait, and who rolls. */

import { h } from "#core/dom.js";
import { choose, decide, fold, form, line, row, stepper, turn } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";
import { flag } from "../asked-said.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("../types").Tale} Tale */
/**
 * The settings for one roller.
 * @typedef {{scope: boolean, hindered: string, difficulty: string, type: string, again: boolean}} Of
 */

const GM = "gm";
const MOST_NAME = 100;
const MOST_EFFORT = 99;
const NEW = "";
export const KINDS = ["agile", "brawny", "crafty", "melee", "ranged", "mental"];
export const DICE = ["table", "hand"];
const DIFFICULTIES = ["4", "5", "6"];
const STANDARD = "5";
const SEALED = "sealed";

/** The characters who can be asked for a roll. @param {Tale} state */
export const able = ({ game: { cast, around } }) =>
  around.filter((who) => cast[who] && !cast[who].absent && !cast[who].away);

/**
 * Buttons of which one is selected.
 * @param {Ui} ui
 * @param {string} key
 * @param {string} field
 * @param {string} label
 * @param {readonly string[]} values
 * @param {string|null} now null if none is selected
 * @param {(value: string) => string} said
 */
export function oneOf(ui, key, field, label, values, now, said) {
  const shown = { ...ui, forms: { ...ui.forms, [key]: { ...ui.forms[key], [field]: now } } };
  return h(
    "div",
    { class: "row with-label", key: field, role: "group", "aria-label": label },
    h("span", { class: "what", key: "what" }, label),
    values.map((value) =>
      choose(shown, key, field, value, said(value), { kind: "quiet chip", key: `${field}-${value}` }),
    ),
  );
}

/**
 * A button for a task beyond the character's knowledge.
 * @param {string} key
 * @param {string} field
 * @param {boolean} scope whether it is within
 */
export const beyond = (key, field, scope) =>
  turn(
    t("tricube.gm.call.beyond"),
    { form: key, field, value: JSON.stringify(!scope), json: "" },
    { pressed: !scope, kind: "quiet chip", key: `flag-${field}` },
  );

/**
 * The form's values.
 * @param {Tale} state
 * @param {Ui} ui
 */
function saidIn(state, ui) {
  const { game, scene } = state;
  const key = `call-${scene}`;
  const said = form(ui, key);
  const running = game.listed.filter((name) => !game.challenges[name]?.overcome);
  const last = game.last_rolling?.challenge ?? "";
  // The last fight continues, unless the GM chooses otherwise. Of several others the GM names one.
  /** @type {string|null} */
  const atHand = running.includes(last) ? last : running.length > 1 ? null : (running[0] ?? NEW);
  const isSaid = running.includes(said.challenge) || said.challenge === NEW;
  /** @type {string|null} */
  const name = isSaid ? said.challenge : atHand;
  const who = /** @type {string[]} */ (said.who ?? able(state)).filter((each) => able(state).includes(each));
  const hidden = Boolean(name) && game.challenges[name ?? NEW]?.difficulty === null;
  return {
    key,
    said,
    running,
    name,
    who,
    hidden,
    dice: said.dice ?? game.throws,
    type: said.type ?? "",
    defense: said.defense ?? false,
    difficulty: hidden ? SEALED : said.difficulty || (name === NEW ? STANDARD : ""),
  };
}

/**
 * The affliction that hinders a roller, if the character still has it.
 * @param {Tale} state
 * @param {string} who
 * @param {string} [said]
 */
export const against = ({ game }, who, said = "") =>
  game.cast[who]?.afflictions.some(({ name }) => name === said) ? said : "";

/** @param {Tale} state @param {Record<string, any>} said @param {string} who @returns {Of} */
const ofOne = (state, said, who) => ({
  scope: said[`scope-${who}`] ?? true,
  hindered: against(state, who, said[`hindered-${who}`]),
  difficulty: said[`difficulty-${who}`] ?? "",
  type: said[`type-${who}`] ?? "",
  again: said[`again-${who}`] ?? false,
});

/**
 * The choice that calls for the rolls.
 * @param {ReturnType<typeof saidIn>} given
 * @param {Tale} state
 */
function written({ said, name, who, type, defense, difficulty, dice }, state) {
  const { game } = state;
  const sealed = difficulty === SEALED;
  const effort = Number(said.effort ?? 0);
  const own = /** @type {Record<string, unknown>} */ ({});
  for (const each of who) {
    const one = ofOne(state, said, each);
    const hard = one.difficulty || (name === NEW || sealed ? "" : difficulty);
    const again = defense && Boolean(game.cast[each]?.defended);
    own[each] = {
      ...(!one.scope && { scope: false }),
      ...(one.hindered && { hindered: one.hindered }),
      ...(hard && !sealed && { difficulty: Number(hard) }),
      ...(one.type && { type: one.type }),
      ...(again && one.again && { again: true }),
    };
  }
  const challenge =
    name === NEW
      ? {
          name: (said.name ?? "").trim(),
          ...(!sealed && { difficulty: Number(difficulty) }),
          ...(effort && { effort }),
          ...(said.deadly && { deadly: true }),
        }
      : name;
  return JSON.stringify({
    challenge,
    type,
    rollers: own,
    ...(defense && { defense }),
    ...(sealed && { sealed }),
    ...(dice !== game.throws && { dice }),
  });
}

/**
 * Why the rolls cannot be called for yet; empty if they can.
 * @param {ReturnType<typeof saidIn>} given
 * @param {Tale} state
 */
function whyNot({ said, name, who, type, defense }, state) {
  const { game } = state;
  const text = (said.name ?? "").trim();
  if (name === null) return t("tricube.gm.call.which.none");
  if (name === NEW && !text) return t("tricube.gm.call.name.none");
  if (name === NEW && game.listed.includes(text)) return t("tricube.begin.twice");
  if (!type) return t("tricube.gm.call.type.none");
  if (!who.length) return t("tricube.gm.call.nobody");
  const twice = defense ? who.find((each) => game.cast[each]?.defended && !ofOne(state, said, each).again) : undefined;
  return twice ? t("tricube.gm.call.defended", { who: pretty(twice) }) : "";
}

/**
 * The settings for one of the rollers.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {ReturnType<typeof saidIn>} given
 * @param {string} who
 */
function one(state, ui, { key, said, type, difficulty }, who) {
  const sheet = state.game.cast[who];
  if (!sheet) return null;
  const of = ofOne(state, said, who);
  const none = t("tricube.gm.call.as-all");
  /** @param {string} each */
  const kind = (each) => (each ? t(`tricube.of.${each}`) : none);
  return h(
    "div",
    { class: "begin-member", key: `of-${who}`, role: "group", "aria-label": pretty(who) },
    h("b", { key: "name" }, pretty(who)),
    h("p", { class: "hint", key: "sheet" }, [sheet.concept, ...sheet.perks].join(", ")),
    row(beyond(key, `scope-${who}`, of.scope)),
    sheet.afflictions.length > 0 &&
      oneOf(
        ui,
        key,
        `hindered-${who}`,
        t("tricube.gm.call.hindered"),
        ["", ...sheet.afflictions.map((each) => each.name)],
        of.hindered,
        (each) => each || t("tricube.gm.call.hindered.none"),
      ),
    fold(ui, `${key}-${who}`, t("tricube.gm.call.other", { who: pretty(who) }), () => [
      difficulty !== SEALED &&
        oneOf(
          ui,
          key,
          `difficulty-${who}`,
          t("tricube.begin.difficulty"),
          ["", ...DIFFICULTIES],
          of.difficulty,
          (each) => each || none,
        ),
      oneOf(
        ui,
        key,
        `type-${who}`,
        t("tricube.gm.call.type"),
        ["", ...KINDS.filter((each) => each !== type)],
        of.type,
        kind,
      ),
    ]),
  );
}

/**
 * Toggles for a defense, and for a second one by the same character.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {ReturnType<typeof saidIn>} given
 */
function defending(state, ui, { key, said, who, defense }) {
  const again = defense ? who.filter((each) => state.game.cast[each]?.defended) : [];
  return row(
    flag(ui, key, "defense", defense, t("tricube.gm.call.defense")),
    again.map((each) =>
      flag(ui, key, `again-${each}`, ofOne(state, said, each).again, t("tricube.gm.call.again", { who: pretty(each) })),
    ),
  );
}

/**
 * Rare settings are folded; the fold's label names the rollers who have some.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {ReturnType<typeof saidIn>} given
 */
function more(state, ui, given) {
  const { key, said, who, dice } = given;
  const other = who.filter((each) => {
    const { scope, hindered, difficulty, type } = ofOne(state, said, each);
    return !scope || hindered || difficulty || type;
  });
  const so = [...other.map(pretty), ...(dice === state.game.throws ? [] : [t(`tricube.begin.dice.${dice}`)])];
  return fold(
    ui,
    `${key}-more`,
    so.length ? t("tricube.gm.call.more.said", { so: so.join(" · ") }) : t("tricube.gm.call.more"),
    () => [
      oneOf(ui, key, "dice", t("tricube.gm.call.dice"), DICE, dice, (each) => t(`tricube.begin.dice.${each}`)),
      who.length > 0 &&
        h(
          "div",
          { class: "own-members", key: "members" },
          who.map((each) => one(state, ui, given, each)),
        ),
    ],
  );
}

/**
 * @param {Tale} state
 * @param {Ui} ui
 */
export function calling(state, ui) {
  const given = saidIn(state, ui);
  const { key, said, running, name, who, hidden, type, difficulty } = given;
  const { challenges } = state.game;
  const why = whyNot(given, state);
  /** @param {string} each */
  const after = (each) =>
    who.includes(each)
      ? who.filter((other) => other !== each)
      : able(state).filter((other) => who.includes(other) || other === each);
  /** @param {string} each */
  const label = (each) => {
    const met = challenges[each];
    if (!met) return t("tricube.gm.call.new");
    return met.effort ? t("tricube.gm.call.running", { name: each, number: met.left, count: met.left }) : each;
  };
  const levels = hidden ? [SEALED] : [...(name === NEW ? [] : [""]), ...DIFFICULTIES, SEALED];
  /** @param {string} each */
  const level = (each) =>
    each === ""
      ? t("tricube.gm.call.as-is", { difficulty: challenges[name ?? NEW]?.difficulty ?? "" })
      : each === SEALED
        ? t("tricube.gm.call.sealed")
        : t(`tricube.begin.difficulty.${each}`);
  return h(
    "div",
    { class: "form calling", key: "calling", "data-enter": "" },
    running.length > 0 && oneOf(ui, key, "challenge", t("tricube.gm.call.which"), [...running, NEW], name, label),
    name === NEW && line(ui, key, "name", t("tricube.begin.name"), { max: MOST_NAME }),
    oneOf(ui, key, "type", t("tricube.gm.call.type"), KINDS, type, (each) => t(`tricube.of.${each}`)),
    h(
      "div",
      { class: "row with-label", key: "who", role: "group", "aria-label": t("tricube.gm.call.who") },
      h("span", { class: "what", key: "what" }, t("tricube.gm.call.who")),
      able(state).map((each) =>
        turn(
          pretty(each),
          { form: key, field: "who", value: JSON.stringify(after(each)), json: "" },
          { pressed: who.includes(each), kind: "quiet chip", key: `who-${each}` },
        ),
      ),
    ),
    name !== null && oneOf(ui, key, "difficulty", t("tricube.begin.difficulty"), levels, difficulty, level),
    name === NEW &&
      h(
        "div",
        { class: "row", key: "new" },
        stepper(ui, key, "effort", t("tricube.begin.effort"), { most: MOST_EFFORT }),
        flag(ui, key, "deadly", said.deadly ?? false, t("tricube.begin.deadly")),
      ),
    challenges[name ?? NEW]?.deadly && h("p", { class: "hint", key: "deadly-now" }, t("tricube.aside.deadly")),
    defending(state, ui, given),
    more(state, ui, given),
    // Keeps the submit button in reach of a long form.
    h(
      "div",
      { class: "starts", key: "starts" },
      decide(ui, t("tricube.gm.call.say"), GM, `call ${written(given, state)}`, {
        kind: "offer default",
        why,
        hush: true,
        after: key,
      }),
      why && h("p", { class: "hint", key: "why" }, why),
    ),
  );
}
