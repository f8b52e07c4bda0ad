/** A scene of a tale that is over: its challenges, and what is new and lasts. */

import { h } from "#core/dom.js";
import { inRow } from "#core/grammar.js";
import { leftSaid } from "#core/left.js";
import { portrait } from "#core/portrait.js";
import { pretty, t } from "#core/texts.js";
import { afflictionSaid } from "./lasting.js";
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
