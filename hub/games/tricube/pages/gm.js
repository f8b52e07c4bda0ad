/** A tale's part of the GM's page. */

import { t } from "#core/texts.js";
import { isTale } from "./asked.js";
import { asking } from "./gm/asking.js";
import { sheetsPanel } from "./gm/sheets.js";

export { aside, asks, dangers, editor, facing, offerName, question, together } from "./asked.js";
export { begin } from "./gm/begin.js";
export { changes } from "./gm/changes.js";
/** Each is small, and visible on its form. */
export const atOnce = [
  "stakes",
  "cure",
  "recover",
  "convert",
  "gain-affliction",
  "gain",
  "lose",
  "tokens-are",
  "sheet-is",
  "join",
];
export { held, WORDING as wording } from "./gm/holds.js";
export { outcome } from "./gm/outcome.js";
export { card } from "./pictured.js";
export { hand, heading, meaning } from "./seat-cards.js";

/**
 * The GM's open tasks between scenes.
 * @param {import("#core/types.js").State} state
 * @param {import("#core/types.js").Ui} ui
 */
export const between = (state, ui) => [asking(state, ui)];

/** @param {import("#core/types.js").State} state @param {import("#core/types.js").Ui} ui */
export const storyPanels = (state, ui) => [sheetsPanel(state, ui)];

/**
 * A character's condition, for the GM.
 * @param {import("#core/types.js").State} state
 * @param {string} name
 */
export function doing(state, name) {
  const one = isTale(state) ? state.game.cast[name] : undefined;
  if (!one) return { away: "", parts: [], points: null };
  const parts = [
    t("tricube.lasting.karma", { has: one.karma, most: one.karma_max }),
    t("tricube.lasting.resolve", { has: one.resolve, most: one.resolve_max }),
    ...one.afflictions.map((affliction) => affliction.name),
  ];
  return { away: one.absent ? t(`tricube.stage.${one.absent}`) : "", parts, points: null };
}
