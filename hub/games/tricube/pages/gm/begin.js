/** The form that starts a scene of a tale: who takes part, prepared challenges, who rolls. */

import { h } from "#core/dom.js";
import { choose, form, line, press, row, stepper, turn } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";
import { awayFor } from "../lasting.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("../lasting.js").Lasting} Lasting */
/**
 * A challenge that exists from the start.
 * @typedef {{id: number, name: string, difficulty: number, effort: number, deadly: boolean}} Prepared
 */

const FORM = "tale";
const MOST_TITLE = 80;
const MOST_NAME = 64;
const MOST_EFFORT = 99;
const DICE = ["table", "hand"];
const DIFFICULTIES = [4, 5, 6];
const STANDARD = 5;

/**
 * The living characters, by name.
 * @param {State} state
 * @returns {Record<string, Lasting>}
 */
export const aliveIn = (state) =>
  Object.fromEntries(
    Object.entries(/** @type {Record<string, Lasting>} */ (/** @type {any} */ (state.story)?.party ?? {})).filter(
      ([, { dead }]) => !dead,
    ),
  );

/**
 * The default participants: all who are not retired, or everyone if all are.
 * @param {Record<string, Lasting>} alive
 */
export function usual(alive) {
  const able = Object.keys(alive).filter((name) => alive[name] && !awayFor(alive[name]));
  return able.length ? able : Object.keys(alive);
}

/**
 * The prepared challenges in the form.
 * @param {Record<string, any>} said
 * @returns {Prepared[]}
 */
export const preparedIn = (said) =>
  /** @type {number[]} */ (said.prepared ?? []).map((id) => ({
    id,
    name: (said[`name-${id}`] ?? "").trim(),
    difficulty: Number(said[`difficulty-${id}`] ?? STANDARD),
    effort: Number(said[`effort-${id}`] ?? 0),
    deadly: said[`deadly-${id}`] === "true",
  }));

/**
 * Why the scene cannot start yet; empty if it can.
 * @param {readonly string[]} who
 * @param {readonly Prepared[]} prepared
 */
export function whyNot(who, prepared) {
  if (!who.length) return t("tricube.begin.nobody");
  const names = prepared.map(({ name }) => name);
  if (names.some((name) => !name)) return t("tricube.begin.unnamed");
  return new Set(names).size < names.length ? t("tricube.begin.twice") : "";
}

/**
 * The scene of the command.
 * @param {string} title
 * @param {readonly string[]} who
 * @param {readonly Prepared[]} prepared
 * @param {string} dice who rolls: the `table`, or people by `hand`
 */
export const asked = (title, who, prepared, dice) => ({
  type: "scene",
  title,
  characters: [...who],
  challenges: Object.fromEntries(
    prepared.map(({ name, difficulty, effort, deadly }) => [name, { difficulty, effort, deadly }]),
  ),
  dice,
});

/**
 * The form. `configured` is the button that starts the scene from the configuration.
 * @param {State} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Drawn} configured
 */
export function begin(state, ui, configured) {
  const alive = aliveIn(state);
  if (!Object.keys(alive).length) return configured;
  const said = form(ui, FORM);
  const title = (said.title ?? "").trim();
  /** @type {string[]} */
  const now = said.who ?? usual(alive);
  const who = now.filter((name) => name in alive);
  const prepared = preparedIn(said);
  const dice = said.dice ?? DICE[0];
  const ids = prepared.map(({ id }) => id);
  const more = [...ids, Math.max(0, ...ids) + 1];
  return h(
    "div",
    { class: "form begin-tale", "data-enter": "", key: "begin-tale" },
    line(ui, FORM, "title", t("tricube.begin.title"), { max: MOST_TITLE }),
    h(
      "div",
      { class: "row", key: "who", role: "group", "aria-label": t("tricube.begin.who") },
      h("span", { class: "hint" }, t("tricube.begin.who")),
      Object.entries(alive).map(([name, sheet]) => {
        const away = awayFor(sheet);
        return turn(
          [pretty(name), away && h("small", {}, away)],
          set("who", who.includes(name) ? who.filter((each) => each !== name) : [...who, name]),
          { pressed: who.includes(name), kind: "quiet chip", key: `who-${name}` },
        );
      }),
    ),
    prepared.map((each, at) => challengeForm(ui, each, at, ids)),
    row(turn(t("tricube.begin.more"), set("prepared", more), { key: "more-prepared" })),
    h(
      "div",
      { class: "row switch", key: "dice", role: "group", "aria-label": t("tricube.begin.dice") },
      DICE.map((each) => choose(ui, FORM, "dice", each, t(`tricube.begin.dice.${each}`), { pressed: dice === each })),
    ),
    h(
      "div",
      { class: "starts", key: "starts" },
      press(
        ui,
        t("tricube.begin.start"),
        { command: "start-scene", scene: asked(title, who, prepared, dice) },
        { place: "start tale", kind: "offer default", why: whyNot(who, prepared), after: FORM },
      ),
    ),
    configured,
  );
}

/**
 * Data of a button that sets a field.
 * @param {string} field
 * @param {unknown} value
 */
const set = (field, value) => ({ form: FORM, field, value: JSON.stringify(value), json: "" });

/**
 * @param {Ui} ui
 * @param {Prepared} prepared
 * @param {number} at its index, from 0
 * @param {readonly number[]} ids of all challenges
 */
function challengeForm(ui, { id, name, difficulty, deadly }, at, ids) {
  const called = name ? pretty(name) : t("tricube.begin.challenge", { number: at + 1 });
  return h(
    "section",
    { class: "begin-challenge", key: `challenge-${id}`, "aria-label": called },
    h("h3", { key: "title" }, called),
    line(ui, FORM, `name-${id}`, t("tricube.begin.name"), { max: MOST_NAME }),
    h(
      "div",
      { class: "row", key: "difficulty", role: "group", "aria-label": t("tricube.begin.difficulty") },
      h("span", { class: "hint" }, t("tricube.begin.difficulty")),
      DIFFICULTIES.map((each) =>
        choose(ui, FORM, `difficulty-${id}`, String(each), t(`tricube.begin.difficulty.${each}`), {
          pressed: difficulty === each,
        }),
      ),
    ),
    stepper(ui, FORM, `effort-${id}`, t("tricube.begin.effort"), { first: 0, most: MOST_EFFORT }),
    h(
      "div",
      { class: "row", key: "deadly" },
      choose(ui, FORM, `deadly-${id}`, String(!deadly), t("tricube.begin.deadly"), { pressed: deadly }),
    ),
    row(
      turn(
        t("tricube.begin.less"),
        set(
          "prepared",
          ids.filter((each) => each !== id),
        ),
        { name: t("tricube.begin.less.name", { name: called }), key: `less-${id}` },
      ),
    ),
  );
}
