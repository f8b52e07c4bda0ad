/** What the GM has of the triangle: who does what, scenes, characters, NPCs, rests. */

import { h } from "../../core/dom.js";
import { t } from "../../core/texts.js";
import { charactersPanel } from "./gm/characters.js";
import { npcPanel } from "./gm/npcs.js";
import { restPanel } from "./gm/rests.js";
import { gone } from "./people.js";
import { sign, TYPES } from "./shapes.js";

export * from "./decisions.js";
export { changes } from "./gm/changes.js";
export { held, WORDING as wording } from "./gm/holds.js";
export { begin, endName } from "./gm/scene.js";
export { cameSaid, choiceSaid, deedSaid } from "./gm/told.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/** @param {Record<string, number>} energy */
const points = (energy) =>
  h(
    "span",
    { class: "points", key: "points" },
    TYPES.map((type) => h("span", { class: type, key: type }, sign(type, t(`${type}.letter`)), h("b", {}, energy[type]))),
  );

/**
 * What somebody does now.
 * @param {State} state
 * @param {string} name
 */
export function doing(state, name) {
  const played = state.game?.characters?.[name];
  const known = played ?? state.story?.party?.[name];
  const { turn, may_act: mayAct = [] } = state.game ?? {};
  const inTurn = Boolean(turn) && !["next", "verdict", "over"].includes(state.step);
  const parts = [
    inTurn && turn.active === name && t("badge.turn"),
    inTurn && turn.opponent === name && t("badge.chosen"),
    mayAct.includes(name) && t("badge.may"),
  ];
  return { away: played ? gone(played) : "", parts: parts.filter(Boolean), points: known?.energy ? points(known.energy) : null };
}

/**
 * What somebody could choose, as far as it is public.
 * @param {State} state
 * @param {string} name
 */
export function openTo(state, name) {
  const { energy, available } = state.game.characters?.[name] ?? {};
  /** @param {string} type */
  const range = (type) => Array.from({ length: energy?.[type] ?? 0 }, (_, at) => `${type} ${at + 1}`);
  /** @type {Record<string, {kind: string, values: string[]}>} */
  const steps = {
    stance: { kind: "stance", values: [...TYPES.flatMap(range), "none"] },
    move: { kind: "move", values: [...(available ?? []), "surrender"] },
    option: { kind: "option", values: ["1", "2", "3", "4"] },
    specials: { kind: "special", values: ["none"] },
  };
  return steps[state.step] ?? null;
}

/**
 * @param {State} state
 * @param {Ui} ui
 */
export const scenePanels = (state, ui) => [npcPanel(state, ui)];

/**
 * @param {State} state
 * @param {Ui} ui
 */
export const storyPanels = (state, ui) => [restPanel(state, ui), charactersPanel(state, ui)];
