/** The triangle's part of the GM's page: current activities, scenes, characters, NPCs, rests. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";
import { charactersPanel } from "./gm/characters.js";
import { asking, freshPanel } from "./gm/fresh.js";
import { npcPanel } from "./gm/npcs.js";
import { restPanel, worn } from "./gm/rests.js";
import { sign, TYPES } from "./shapes.js";
import { gone } from "./sides.js";

export * from "./decisions.js";
export { explain } from "./explain.js";
export { facing } from "./felt.js";
export { dangers, heading, meaning } from "./seat.js";
/** Each is small, or visible on its form. */
export const atOnce = ["stakes", "mark", "unmark", "rename", "rewrite", "background", "join", "npc"];
export { changes } from "./gm/changes.js";
export { held, WORDING as wording } from "./gm/holds.js";
export { begin, endName } from "./gm/scene.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/** @param {import("./wire").Energy} energy */
const points = (energy) =>
  h(
    "span",
    { class: "points", key: "points" },
    TYPES.map((type) =>
      h("span", { class: type, key: type }, sign(type, t(`${type}.letter`)), h("b", {}, energy[type])),
    ),
  );

/**
 * A character's current activity.
 * @param {State} state
 * @param {string} name
 */
export function doing(state, name) {
  const played = state.game?.characters?.[name];
  const known =
    played ?? /** @type {Record<string, import("#core/wire.js").PersonView>|undefined} */ (state.story?.party)?.[name];
  const { turn, may_act: mayAct = [] } = state.game ?? {};
  const inTurn = Boolean(turn) && !["next", "verdict", "over"].includes(state.step);
  /** @type {Array<string|false>} */
  const parts = [
    inTurn && turn?.active === name && t("badge.turn"),
    inTurn && turn?.opponent === name && t("badge.chosen"),
    mayAct.includes(name) && t("badge.may"),
  ];
  return {
    away: played ? gone(played) : "",
    parts: parts.filter((each) => each !== false),
    points: known?.energy ? points(known.energy) : null,
  };
}

/**
 * Reminders between scenes.
 * @param {State} state
 * @param {Ui} ui
 */
export const between = (state, ui) => [asking(state, ui), worn(state, ui)];

/**
 * @param {State} state
 * @param {Ui} ui
 */
export const scenePanels = (state, ui) => [npcPanel(state, ui)];

/**
 * @param {State} state
 * @param {Ui} ui
 */
export const storyPanels = (state, ui) => [restPanel(state, ui), charactersPanel(state, ui), freshPanel(state, ui)];
