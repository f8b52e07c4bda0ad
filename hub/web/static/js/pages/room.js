/** The display for a room: the frame with the moment, below the banners. */

import { banners } from "../core/banners.js";
import { h } from "../core/dom.js";
import { frame } from "../core/frame.js";
import { lostReaders } from "../core/seats.js";
import { between } from "./between.js";

/** @typedef {import("../core/types").State} State */

/**
 * Everything on the display.
 * @param {{state: State|null, status: import("../core/types").Status, notice: string, waited: number|null}} shown
 * @param {import("../core/types").Part} tools buttons of the page
 */
export function room({ state, status, notice, waited }, tools) {
  const lost = status === "lost" || (status === "opening" && state);
  const said = notice && h("p", { class: "notice", key: "notice", role: "status" }, notice);
  const above = banners(state, status);
  if (!state?.game)
    return h(
      "div",
      { class: `sheet ${lost ? "cut-off" : ""}` },
      above,
      between(state),
      state && lostReaders(state),
      said,
    );
  return h(
    "div",
    { class: `room ${lost ? "cut-off" : ""}` },
    above,
    lostReaders(state),
    h("div", { class: "box", key: "box" }, frame(state, { waited, tools })),
    said,
  );
}
