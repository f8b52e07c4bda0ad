/** A Conflict that is over: the winner, and what each side carries on. */

import { h } from "#core/dom.js";
import { leftSaid } from "#core/left.js";
import { portrait } from "#core/portrait.js";
import { pretty, t } from "#core/texts.js";
import { leftName, overSaid } from "./say.js";

/** @typedef {import("#core/types.js").EndedView} EndedView */

/** The texts that this module needs. */
export const sentences = ".tourists";

/** @param {EndedView} ended */
const resultOf = ({ game }) => (game.ruleset === "tourists" ? game.result : null);

/** @param {EndedView} scene */
export function head(scene) {
  const result = resultOf(scene);
  if (!result)
    return { head: t("between.broken-off"), more: leftSaid(scene.left, scene.left && leftName(scene.left.step)) };
  const goal = scene.game.ruleset === "tourists" ? scene.game.parties[result.winner ?? ""]?.goal : "";
  return { head: overSaid(result), more: goal ?? "" };
}

/**
 * The costs carried on: Lasting Losses, and Reserve cards for those who conceded.
 * @param {EndedView} scene
 */
export function card(scene) {
  const result = resultOf(scene);
  if (!result) return null;
  const carried = Object.entries(result.carried).flatMap(([party, losses]) =>
    losses.map((loss) => ({ party, ...loss })),
  );
  const draws = Object.entries(result.draws);
  if (!carried.length && !draws.length) return null;
  return h(
    "section",
    { class: "costs", key: "costs" },
    h("h3", {}, t("tourists.stage.carried")),
    h(
      "ul",
      { class: "carried" },
      carried.map(({ party, who, gravity, text }, at) =>
        h(
          "li",
          { key: `carried-${at}` },
          portrait(who),
          " ",
          h("b", {}, pretty(who)),
          who === party ? "" : ` (${pretty(party)})`,
          ": ",
          text || t("tourists.stage.untold"),
          " ",
          h("i", {}, t("tourists.stage.gravity", { gravity })),
        ),
      ),
      draws.map(([who, count]) =>
        h(
          "li",
          { key: `draws-${who}` },
          portrait(who),
          " ",
          h("b", {}, pretty(who)),
          ": ",
          t("tourists.stage.earned", { count, number: count }),
        ),
      ),
    ),
  );
}

/** @param {import("#core/types.js").PastSceneView} past */
export function result({ came, over }) {
  const last = came.at(-1);
  if (!over || !last || last.what !== "conflict-ended") return null;
  return overSaid(/** @type {{reason: string, winner: string|null}} */ (/** @type {unknown} */ (last)));
}
