/** A Conflict that is over: the winner, and what each side carries on. */

import { h } from "#core/dom.js";
import { fetchStyle } from "#core/later.js";
import { leftSaid } from "#core/left.js";
import { portrait } from "#core/portrait.js";
import { blue, decided, LASTS_MS, laidAndTurned, red } from "#core/shots.js";
import { pretty, t } from "#core/texts.js";
import { lying } from "./cards.js";
import { setting } from "./room.js";
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

/**
 * Two sides draw a card each, which lies open from then on.
 * @returns {Promise<import("#core/types.js").Shot[]>}
 */
export async function shown() {
  await fetchStyle("tourists-cards");
  const words = (/** @type {string} */ key) => ({ said: t(key), more: t(`${key}.more`) });
  const [one, other] = [
    { ...red(), up: lying({ number: 61, suit: "blades", rank: null, reversed: false }) },
    { ...blue(), up: lying({ number: 33, suit: "paper", rank: null, reversed: false }) },
  ];
  return [
    ...laidAndTurned([one, other], { 1: words("tourists.between.draw"), 2: words("tourists.between.open") }),
    { beat: 3, ...words("tourists.between.won"), lasts: LASTS_MS, pieces: () => decided([one, other]) },
  ];
}

/**
 * The cards of the last round.
 * @param {EndedView} ended
 * @param {import("#core/types.js").State} state
 */
export const last = ({ game }, state) => setting({ ...state, game, step: "over" }).pieces;
