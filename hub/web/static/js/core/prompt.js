/** The current moment in one sentence: for the stage and for screen readers. */

import { game } from "./game.js";
import { knows, pretty, t } from "./texts.js";

/** @param {string} key */
const plain = (key) => ({ head: t(key), more: t(`${key}.more`) });

/**
 * The headline of the moment and a line below it.
 * @param {import("./types").State|null} state
 * @param {Pick<import("./types").Game, "prompt">} [family] the family in play
 * @returns {import("./types").Prompt}
 */
export function prompt(state, family = game()) {
  if (!state) return plain("waiting");
  if (state.phase === "idle" && state.evening_over) return plain("farewell");
  if (["idle", "paused", "locked"].includes(state.phase)) return plain(state.phase);
  const said = family.prompt(state);
  const counts = Object.entries(state.counted ?? {}).map(
    ([who, one], _, { length }) => (length > 1 ? `${pretty(who)}: ` : "") + tally(one),
  );
  return counts.length ? { ...said, more: counts.join("; ") } : said;
}

/**
 * The headline of the stage: the decision while there is one, otherwise the step.
 * @param {import("./types").State} state
 */
export const headlineSaid = (state) => game().verdict(state)?.said ?? prompt(state).head;

/**
 * An actor's counted points: 2 of 3: Attack 1, Defend 1.
 * @param {import("./wire").Tally} tally
 */
export const tally = ({ points, total }) =>
  t("counted", { number: points.length, total, points: game().pointsSaid(points) });

/**
 * A passing notice about an event; null if it needs none.
 * @param {import("./types").Line} event
 */
export function notice(event) {
  const key = `notice.${event.type}`;
  if (!knows(key) || game().tells.includes(event.type)) return null;
  return t(event.on === false ? `${key}.over` : key, {
    actor: pretty(event.actor ?? ""),
    seat: pretty(event.seat ?? ""),
  });
}
