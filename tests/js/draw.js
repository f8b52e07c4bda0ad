/**
 * Draws every page for each moment of a table: one line of JSON with its state, the questions, the
 * seats' hands and the console. Reports the first few that could not be drawn, and why.
 */

import "./browser.js";

import { createInterface } from "node:readline";
import { GAMES } from "#games";
import { changeAloud } from "../../hub/web/static/js/core/aloud.js";
import { Besides } from "../../hub/web/static/js/core/besides.js";
import { questionSections } from "../../hub/web/static/js/core/decisions.js";
import { REST_S } from "../../hub/web/static/js/core/frame.js";
import { enter, fetchGames, game } from "../../hub/web/static/js/core/game.js";
import { dress } from "../../hub/web/static/js/core/portrait.js";
import { loadReasons } from "../../hub/web/static/js/core/reasons.js";
import { readState } from "../../hub/web/static/js/core/state.js";
import { language, loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";
import { newUi } from "../../hub/web/static/js/pages/gm/act.js";
import { quick } from "../../hub/web/static/js/pages/gm/dock.js";
import { Chronicle } from "../../hub/web/static/js/pages/gm/log.js";
import { overruleSheet } from "../../hub/web/static/js/pages/gm/overrule.js";
import { inside, TABS } from "../../hub/web/static/js/pages/gm/panels.js";
import { overlay } from "../../hub/web/static/js/pages/overlay/panes.js";
import { room } from "../../hub/web/static/js/pages/room.js";
import { around } from "../../hub/web/static/js/pages/seat/around.js";
import { choices, sealed, thumb } from "../../hub/web/static/js/pages/seat/choices.js";
import { Company } from "../../hub/web/static/js/pages/seat/company.js";
import { head, moment } from "../../hub/web/static/js/pages/seat/moment.js";
import { display } from "../../hub/web/static/js/pages/stage.js";

const MOST = 5;
/** Every fold is open. */
const OPEN = { has: () => true, add: () => {}, delete: () => {} };
const pending = () => false;

/** @param {any} state @param {any} told */
function* seats(state, { hands, questions }) {
  for (const [seat, { actors }] of Object.entries(hands))
    for (const actor of actors) {
      const ui = {
        seat,
        actors,
        current: actor.name,
        free: false,
        lies: null,
        questions: [],
        asked: questions,
        splits: {},
        forms: {},
        folds: OPEN,
        picked: null,
        said: { text: "", bad: false, of: "" },
        own: new Map(),
        besides: new Besides(),
        company: new Company(),
        peeking: false,
        pending,
        redraw: () => {},
      };
      ui.questions = game()
        .asks(state, ui, questions)
        .filter((one) => one.actor === actor.name);
      yield [
        head(state, ui, "open"),
        moment(state, ui, actor),
        around(state),
        questionSections(state, ui),
        choices(state, ui, actor),
        sealed(state, ui, actor),
        thumb(state, ui, actor),
      ];
      yield [game().sheet?.(state, ui, actor), game().own(state, ui, actor), game().facing(state, actor.name)];
    }
}

/** @param {any} state @param {any} told */
function* consoles(state, { hands, questions, console: told }) {
  for (const wide of [false, true]) {
    const ui = newUi({ chronicle: new Chronicle(), pending, redraw: () => {} });
    Object.assign(ui, { console: told, hands, asked: questions, wide, folds: OPEN });
    ui.questions = game().asks(state, ui, questions);
    for (const name of Object.keys(TABS).filter((each) => each !== "keys")) yield inside(name, state, ui);
    yield [quick(state, ui), overruleSheet(state, ui)];
  }
}

/** @param {any} before @param {any} state @param {any} told */
function* pages(before, state, told) {
  yield display({ state, status: "open", notice: "" });
  for (const waited of [null, 2, 2 * REST_S]) yield room({ state, status: "open", notice: "", waited }, null);
  yield overlay({ state, status: "open" }, "bottom");
  yield game().miniature(state, null);
  yield changeAloud(before, state);
  yield* seats(state, told);
  yield* consoles(state, told);
}

/** Text keys without a text, and missing values. @param {any} part @returns {string[]} */
function wrong(part) {
  if (typeof part === "string")
    return /^(tourists|room|gm|own|reason)\.[a-z.-]+$|\bundefined\b|\bNaN\b|\[object|\{[a-z_]+\}/.test(part)
      ? [part]
      : [];
  if (Array.isArray(part)) return part.flatMap(wrong);
  if (!part?.children) return [];
  return [
    ...[...part.attributes]
      .filter(([name]) => ["aria-label", "title"].includes(name))
      .flatMap(([, value]) => wrong(value)),
    ...part.children.flatMap(wrong),
  ];
}

await loadTexts();
await loadReasons();
await fetchGames(GAMES, ["tourists"], ["stage", "seat", "gm"]);
let before = null;
let drawn = 0;
const faults = [];
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.language !== language()) await setLanguage(told.language).then(loadReasons);
  enter(told.state);
  dress(told.state);
  const state = readState(told.state);
  try {
    for (const part of pages(before, state, told)) {
      drawn += 1;
      for (const text of wrong(part)) throw new Error(`says ${JSON.stringify(text)}`);
    }
  } catch (error) {
    if (faults.length < MOST)
      faults.push(`${state.phase} ${state.step} (${told.after}): ${error.stack.split("\n").slice(0, 4).join("\n")}`);
  }
  before = state;
}
process.stdout.write(JSON.stringify({ drawn, faults }));
