/** What beats what, for newcomers in the room. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";
import { place, sign } from "./shapes.js";

/** @type {Array<[string, string]>} */
const ACTIONS = [
  ["attack", "grapple"],
  ["grapple", "defend"],
  ["defend", "attack"],
];
/** @type {Record<string, Array<[string, string]>>} */
const PLACES = {
  unroll: [
    ["low", "high"],
    ["high", "mid"],
    ["mid", "low"],
  ],
};

/** @param {(name: string) => import("#core/types.js").Part} draw */
const pair =
  (draw) =>
  (/** @type {[string, string]} */ [better, worse]) =>
    h(
      "li",
      {},
      h("b", {}, draw(better), t(better)),
      h("span", { class: "over" }, t("beats")),
      h("i", {}, draw(worse), t(worse)),
    );

/**
 * The cycle of actions and, where a book has three places, the cycle of those.
 * @param {import("./types").ConflictView} game
 */
export function legend(game) {
  const places = game.house ? null : PLACES[game.ruleset];
  return h(
    "div",
    { class: "legend", key: "legend", "aria-label": t("legend"), role: "note" },
    h("ul", {}, ACTIONS.map(pair((action) => sign(action)))),
    places && h("p", {}, t("legend.then")),
    places && h("ul", {}, places.map(pair(place))),
  );
}
