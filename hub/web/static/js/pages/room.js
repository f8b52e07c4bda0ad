/**
 * The display for a room, below the banners: the frame with the moment or, while nothing is played,
 * a loop of pictures for passers-by.
 */

import { banners } from "../core/banners.js";
import { h } from "../core/dom.js";
import { frame } from "../core/frame.js";
import { later } from "../core/later.js";
import { lostReaders } from "../core/seats.js";
import { curtain } from "./curtain.js";

/** @typedef {import("../core/types").State} State */

const door = later(async () => (await import("./between/door.js")).prepare());
/** What was drawn last: it stays until the door has loaded. @type {import("../core/types").Part} */
let last = null;

/**
 * Everything on the display.
 * @param {{state: State|null, status: import("../core/types").Status, notice: string, waited: number|null}} shown
 * @param {import("../core/types").Part} tools buttons of the page
 */
export function room({ state, status, notice, waited }, tools) {
  const lost = status === "lost" || (status === "opening" && state);
  const said = notice && h("p", { class: "notice", key: "notice", role: "status" }, notice);
  const above = banners(state, status);
  const found = state && (state.game ? frame(state, { waited, tools }) : door(state, tools));
  const inside = found === undefined ? last : found;
  last = inside;
  if (!state || !inside)
    return h(
      "div",
      { class: `sheet ${lost ? "cut-off" : ""}` },
      above,
      curtain(state),
      state && lostReaders(state),
      said,
    );
  return h(
    "div",
    { class: `room ${lost ? "cut-off" : ""}` },
    above,
    lostReaders(state),
    h("div", { class: "box", key: "box" }, inside),
    said,
  );
}
