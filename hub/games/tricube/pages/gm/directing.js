/** The GM's actions in a scene: calls, opposed rolls, offers, turns. */

import { h } from "#core/dom.js";
import { decide, fold, press, row } from "#core/parts.js";
import { t } from "#core/texts.js";
import { adding, healing, npcs, offering, opposing } from "./besides.js";
import { calling } from "./calling.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("../types").Tale} Tale */

/**
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function directing(state, ui, { actor }) {
  const { scene, game } = state;
  const afflicted = Object.values(game.cast).some(
    ({ afflictions, absent }) => afflictions.length > 0 && absent !== "dead",
  );
  /** @param {string} what @param {() => import("#core/types.js").Part} inside */
  const part = (what, inside) => fold(ui, `${what}-${scene}`, t(`tricube.gm.${what}`), inside);
  return [
    calling(state, ui),
    row(
      decide(ui, t("tricube.gm.turn"), actor, "turn", {
        kind: "quiet",
        more: t("tricube.gm.turn.more", { number: game.turns }),
      }),
      press(ui, t("gm.end.scene"), { command: "end-scene" }, { place: "end-scene" }),
    ),
    h(
      "div",
      { class: "own-besides", key: "besides" },
      game.around.length > 1 && part("oppose", () => opposing(state, ui)),
      part("offer", () => offering(state, ui)),
      part("challenge", () => adding(state, ui)),
      part("npcs", () => npcs(state, ui)),
      afflicted && part("heal", () => healing(state, ui)),
    ),
  ];
}
