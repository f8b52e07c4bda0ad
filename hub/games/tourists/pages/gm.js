/**
 * The tourists' part of the GM's page: current activities, the start of a Conflict, its parties and
 * Losses.
 */

import { t } from "#core/texts.js";
import { isConflict, isRound, partyOf } from "./conflict.js";
import { left, sheetsPanel } from "./gm/sheets.js";

export * from "./decisions.js";
export { explain } from "./explain.js";
export { begin } from "./gm/begin.js";
export { held, WORDING as wording } from "./gm/holds.js";
export { card } from "./pictured.js";
export { dangers } from "./seat.js";

/** @typedef {import("#core/types.js").State} State */

/** @param {import("./types").TouristsView["members"][string]|undefined} member */
const hasReserve = (member) => Boolean(member && (member.reserve_max || member.reserve.length));

/**
 * A character's current activity.
 * @param {State} state
 * @param {string} name
 */
export function doing(state, name) {
  if (!isConflict(state)) return { away: "", parts: [], points: null };
  const { game } = state;
  const own = partyOf(state, name);
  const out = game.parties[own]?.out;
  const away =
    out === "wiped-out"
      ? t("tourists.doing.wiped-out")
      : out || game.members[name]?.conceded
        ? t("tourists.doing.conceded")
        : "";
  const round = isRound(state) ? state.game.round : null;
  const lost = (game.parties[own]?.temporary.length ?? 0) + (game.parties[own]?.lasting.length ?? 0);
  const parts = [
    game.control?.party === own &&
      t("tourists.doing.dominant", { ranks: game.control.ranks, count: game.control.ranks }),
    state.step === "bid" && round?.speaking === own && t("tourists.doing.speaks"),
    state.step === "tell" && round?.narrator === own && t("tourists.doing.tells"),
    round?.let_all.includes(name) && !round.outcome && t("tourists.doing.let-all"),
    hasReserve(game.members[name]) &&
      t("tourists.doing.reserve", {
        has: game.members[name]?.reserve.length ?? 0,
        most: game.members[name]?.reserve_max ?? 0,
      }),
    (game.parties[own]?.reversed ?? 0) > 0 &&
      t("tourists.doing.reversed", { number: game.parties[own]?.reversed ?? 0 }),
    lost > 0 && t("tourists.doing.losses", { number: lost }),
  ];
  return { away, parts: parts.filter((each) => typeof each === "string"), points: null };
}

/** Each is small, or visible on its form. */
export const atOnce = ["stakes", "gain-weakness", "heal", "gain-aspect", "is-dead"];

/** The results of the last Conflict, between scenes. @param {State} state */
export const between = (state) => left(state);

/** @param {State} state @param {import("#core/types.js").Ui} ui */
export const storyPanels = (state, ui) => [sheetsPanel(state, ui)];

/** The button that ends the scene. */
export const endName = () => t("tourists.gm.end");
