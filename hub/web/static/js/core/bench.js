/** The reader at which cards are being written: it is out of play meanwhile. */

import { h } from "./dom.js";
import { list, t } from "./texts.js";

/**
 * A line that names the seat; null while no cards are written.
 * @param {import("./types").State} state
 */
export function writing(state) {
  const seats = state.seats.filter((seat) => seat.reader === "writes-cards").map((seat) => seat.seat);
  return seats.length
    ? h("p", { class: "writes-cards", key: "writes" }, t("between.writes", { seats: list(seats) }))
    : null;
}
