/** Portraits. Their painter loads after the first paint; until then, their places are kept free. */

import { s } from "./dom.js";
import { later } from "./later.js";

/** @typedef {Pick<import("./types").StateFrame, "portraits"|"seats">} Shown */
/** @typedef {import("./wire").Portrait} Portrait */
/** @typedef {{dress: (state: Shown) => void, look: (name: string) => Portrait, drawn: (name: string, look: Portrait) => import("./types").Drawn}} Painter */

/** @type {Painter|null} */
let painter = null;
/** @type {Shown|null} */
let shown = null;
const place = s("svg", { class: "portrait", viewBox: "0 0 48 48" });
const ask = later(async () => {
  paintBy((await import("./painter.js")).painter);
  return () => null;
});

/** Draw by this painter from now on. @param {Painter} found */
export function paintBy(found) {
  painter = found;
  if (shown) found.dress(shown);
}

/** Use the portraits of this state from now on. @param {Shown} state */
export function dress(state) {
  shown = state;
  painter?.dress(state);
}

/** The look of a character; null until the painter is loaded. @param {string} name */
export const look = (name) => painter?.look(name) ?? null;

/** A character's portrait. @param {string} name */
export function portrait(name) {
  ask();
  return painter ? painter.drawn(name, painter.look(name)) : place;
}
