/** What happens, in one sentence: for the stage, and for those who hear the page read aloud. */

import { game } from "./game.js";
import { knows, pretty, t } from "./texts.js";

/** @param {string} key */
const plain = (key) => ({ head: t(key), more: t(`${key}.more`) });

/**
 * The headline of the moment and a line below it.
 * @param {import("./types").State|null} state
 * @returns {import("./types").Prompt}
 */
export function prompt(state) {
  if (!state) return plain("waiting");
  if (["idle", "paused", "locked"].includes(state.phase)) return plain(state.phase);
  return game().prompt(state);
}

/**
 * A line about what somebody did, for the moment; null when it needs none.
 * @param {import("./types").Line} event
 */
export function notice(event) {
  const key = `notice.${event.type}`;
  if (!knows(key)) return null;
  return t(event.on === false ? `${key}.over` : key, { actor: pretty(event.actor ?? ""), seat: pretty(event.seat ?? "") });
}
