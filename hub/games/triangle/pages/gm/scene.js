/** Names of the triangle's scenes: a conflict between two sides, or a problem. */

import { sceneForm } from "#core/scenes.js";
import { knows, pretty, t } from "#core/texts.js";
import { isProblem } from "../problem.js";
import { WORDING } from "./holds.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

const SCENES = {
  ...WORDING,
  /** @param {string} of */
  label: (of) => (knows(`gm.scene.field.${of}`) ? t(`gm.scene.field.${of}`) : WORDING.label(of)),
  /** @param {string} of @param {unknown} value */
  said: (of, value) => (of === "sides" ? t(`gm.side.${value ?? "out"}`) : pretty(String(value))),
  /** @param {string} of @param {boolean} yes */
  flag: (of, yes) => (yes ? t(`gm.scene.${of}`) : ""),
  /** @param {string} type */
  kind: (type) => t(type),
  /** @param {string} type */
  start: (type) => t(`gm.scene.${type}`),
};

/**
 * The form that starts a scene; `prepared` starts the one from the configuration.
 * @param {State} _
 * @param {Ui} ui
 * @param {import("#core/types.js").Drawn} prepared
 */
export const begin = (_, ui, prepared) => sceneForm(ui, SCENES, prepared);

/**
 * The button that ends the scene.
 * @param {State} state
 */
export const endName = (state) =>
  t(`gm.end.${isProblem(state) ? "problem" : state.game?.minor ? "minor" : "conflict"}`);
