/**
 * The display for players at the table while nothing is played: first a curtain, then, once loaded,
 * the view between scenes.
 */

import { later } from "../core/later.js";
import { curtain } from "./curtain.js";

/** @typedef {import("../core/types").State} State */

const whole = later(async () => (await import("./between/whole.js")).prepare());

/** Everything below the banners, without a scene. @param {State|null} state */
export const between = (state) => (state && whole(state)) || curtain(state);
