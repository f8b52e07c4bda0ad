/** The seats: who is choosing, who is ready, whose reader is lost. */

import { h } from "./dom.js";
import { plug } from "./shapes.js";
import { list, pretty, t } from "./texts.js";

/** @typedef {import("./types").State} State */

/**
 * A line about lost readers; null if there are none.
 * @param {State} state
 */
export function lostReaders(state) {
  const lost = state.seats.filter((seat) => seat.reader === "lost").map((seat) => seat.seat);
  if (!lost.length) return null;
  return h(
    "section",
    { class: "lost-readers", key: "lost", "aria-label": t("reader.lost.short") },
    plug,
    t("reader.lost", { seats: list(lost) }),
  );
}

/**
 * The seats in a row, for families without pages.
 * @param {State} state
 */
export function seatRow(state) {
  return h(
    "ul",
    { class: "seats", key: "seats", "aria-label": t("seats") },
    state.seats.map((seat) => {
      const mode = seat.committed ? "committed" : seat.awaited ? "awaited" : "free";
      return h(
        "li",
        { class: mode, key: seat.seat },
        h("b", {}, seat.characters.length ? list(seat.characters) : pretty(seat.seat)),
        h("span", {}, t(`seat.${mode}`)),
      );
    }),
  );
}
