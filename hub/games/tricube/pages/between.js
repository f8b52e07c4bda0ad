/** A scene of a tale that is over: challenges overcome, and lasting afflictions. */

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
  /** @param {boolean} done */
  const names = (done) => game.listed.filter((name) => game.challenges[name]?.overcome === done);
  const said = [
    ["overcome", names(true)],
    ["open", names(false)],
  ].flatMap(([key, some]) => (some.length ? [t(`tricube.between.${key}`, { names: inRow([...some]) })] : []));
  return { head: t("tricube.stage.over"), more: said.join(" ") };
}

/** Lasting effects: afflictions, and characters who retire or are dead. @param {EndedView} scene */
export function card(scene) {
  const game = taleOf(scene);
  const marked =
    game?.around.filter(
      (who) => game.cast[who]?.afflictions.length || ["retired", "dead"].includes(game.cast[who]?.absent ?? ""),
    ) ?? [];
  if (!game) return null;
  if (!marked.length) return [];
  return h(
    "section",
    { class: "costs", key: "costs" },
    h("h3", {}, t("tricube.between.carried")),
    h(
      "ul",
      { class: "carried" },
      marked.map((who) => {
        const { afflictions = [], absent = null } = game.cast[who] ?? {};
        const gone = absent === "retired" || absent === "dead" ? [t(`tricube.stage.${absent}`)] : [];
        return h(
          "li",
          { key: who },
          portrait(who),
          " ",
          h("b", {}, pretty(who)),
          ": ",
          inRow([...gone, ...afflictions.map(afflictionSaid)]),
        );
      }),
    ),
  );
}

/** @param {import("#core/types.js").PastSceneView} past */
export const result = ({ over }) => t(over ? "tricube.stage.over" : "between.broken-off");
