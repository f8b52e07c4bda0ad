/** A scene of a tale that is over: its challenges, and what is new and lasts. */

import { h } from "#core/dom.js";
import { drawn } from "#core/drawn.js";
import { inRow } from "#core/grammar.js";
import { fetchStyle } from "#core/later.js";
import { leftSaid } from "#core/left.js";
import { portrait } from "#core/portrait.js";
import { blue, LASTS_MS, laidAndTurned, open, red } from "#core/shots.js";
import { pretty, t } from "#core/texts.js";
import { dice } from "./dice.js";
import { afflictionSaid } from "./lasting.js";
import { PICTURES } from "./pictures.js";
import { rolledOf } from "./rolled.js";
import { isTale, rolls } from "./room.js";
import { leftName } from "./say.js";

/** @typedef {import("#core/types.js").EndedView} EndedView */

/** The texts that this module needs. */
export const sentences = ".tricube";

/** @param {EndedView} ended */
const taleOf = ({ game }) => (game.ruleset === "tricube" ? game : null);

/** @param {EndedView} scene */
export function head(scene) {
  const game = taleOf(scene);
  if (!game || !scene.over)
    return { head: t("between.broken-off"), more: leftSaid(scene.left, scene.left && leftName(scene.left.step)) };
  /** @type {Record<string, string[]>} */
  const found = { overcome: [], begun: [], ahead: [] };
  for (const name of game.listed) {
    const { overcome = false, left = 0, effort = 0 } = game.challenges[name] ?? {};
    if (overcome) found.overcome.push(name);
    else if (left < effort) found.begun.push(t("tricube.between.left", { name, left, effort }));
    else found[game.last_rolling?.challenge === name ? "begun" : "ahead"].push(name);
  }
  const said = Object.entries(found).flatMap(([key, names]) =>
    names.length ? [t(`tricube.between.${key}`, { names: inRow(names) })] : [],
  );
  return { head: t("tricube.stage.over"), more: said.join(" ") };
}

/**
 * What the scene has brought a character that lasts: new afflictions, and whether it retires or is
 * dead.
 * @param {import("#core/wire.js").TricubeView} game
 * @param {import("#core/wire.js").TricubeView|null} began
 * @param {string} who
 */
function brought(game, began, who) {
  const { afflictions = [], absent = null } = game.cast[who] ?? {};
  const had = began?.cast[who];
  const isNew = absent !== (had?.absent ?? null) && (absent === "retired" || absent === "dead");
  return [
    ...(isNew ? [t(`tricube.stage.${absent}`)] : []),
    ...afflictions
      .filter(({ name, lasts }) => !had?.afflictions.some((each) => each.name === name && each.lasts === lasts))
      .map(afflictionSaid),
  ];
}

/** What is new and lasts. @param {EndedView} scene */
export function card(scene) {
  const game = taleOf(scene);
  if (!game) return null;
  const began = scene.began?.ruleset === "tricube" ? scene.began : null;
  const marked = game.around.filter((who) => brought(game, began, who).length);
  if (!marked.length) return [];
  return h(
    "section",
    { class: "costs", key: "costs" },
    h("h3", {}, t("tricube.between.carried")),
    h(
      "ul",
      { class: "carried" },
      marked.map((who) =>
        h("li", { key: who }, portrait(who), " ", h("b", {}, pretty(who)), ": ", inRow(brought(game, began, who))),
      ),
    ),
  );
}

/** @param {import("#core/types.js").PastSceneView} past */
export const result = ({ over }) => t(over ? "tricube.stage.over" : "between.broken-off");

/** The difficulty of the example, and how long its dice tumble (ms). */
const HARD = 5;
const TUMBLE_MS = 1400;
/** @type {Record<string, number[]>} */
const THROWN = { red: [5, 2, 6], blue: [3, 4, 1] };

/**
 * Two players and the GM lay cards; then the players' dice meet the difficulty.
 * @returns {Promise<import("#core/types.js").Shot[]>}
 */
export async function shown() {
  await fetchStyle("tricube-dice");
  const up = open(h("span", { class: "picture" }, drawn(PICTURES["approach plain"])));
  const [one, other] = [
    { ...red(), up },
    { ...blue(), up },
  ];
  const gm = { name: "gm", called: t("tricube.between.gm"), up: open(h("span", { class: "picture number" }, HARD)) };
  const words = { beat: /** @type {const} */ (3), more: t("tricube.between.dice.more", { number: HARD }) };
  return [
    ...laidAndTurned([one, other, gm], { 1: { said: t("tricube.between.lay"), more: t("tricube.between.lay.more") } }),
    { ...words, said: t("tricube.between.dice"), lasts: TUMBLE_MS, pieces: () => against([one, other], false) },
    { ...words, said: t("tricube.between.fallen"), lasts: LASTS_MS, pieces: () => against([one, other], true) },
  ];
}

/**
 * @param {Array<{name: string, called: string}>} people
 * @param {boolean} fallen whether their dice lie
 * @returns {import("#core/types.js").Rolls}
 */
const against = (people, fallen) => ({
  kind: "rolls",
  about: null,
  rolls: people.map(({ name, called }) => {
    const hits = THROWN[name].filter((face) => face >= HARD).length;
    const roll = {
      count: 3,
      dice: fallen ? THROWN[name] : null,
      hits: fallen ? hits : null,
      difficulty: { final: HARD },
    };
    return {
      name,
      called,
      mark: fallen ? (hits ? "won" : "lost") : "",
      dice: dice(called, /** @type {import("./types").RollView} */ (/** @type {unknown} */ (roll)), !fallen),
      hard: String(HARD),
      said: fallen ? t(`tricube.stage.outcome.${hits ? "success" : "failure"}`) : "",
      notes: [],
    };
  }),
});

/**
 * The last dice of the scene; the headline says what they overcame.
 * @param {EndedView} scene
 * @param {import("#core/types.js").State} state
 */
export function last({ game }, state) {
  const over = { ...state, game, step: "over" };
  const rolled = isTale(over) ? rolledOf(over.game) : null;
  return isTale(over) && rolled ? { ...rolls(over, rolled), about: null } : null;
}
