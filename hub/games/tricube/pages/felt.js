/** The latest outcome of a roll for one player, and whether the character is out. */

import { t } from "#core/texts.js";
import { isOut, rolledOf } from "./rolled.js";
import { againstSaid } from "./say.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Felt} Felt */

/** @type {Record<string, Felt["kind"]>} */
const KINDS = { exceptional: "triumph", success: "won", even: "tie", failure: "lost", critical: "defeat" };

/**
 * `after` may be a state during a reveal, and then includes only what the display shows by then.
 * @param {State} before
 * @param {State} after
 * @param {string} name
 * @returns {Felt|null}
 */
export function felt(before, after, name) {
  if (before.game?.ruleset !== "tricube" || after.game?.ruleset !== "tricube" || before.scene !== after.scene)
    return null;
  const [was, now] = [before.game, after.game];
  const { absent } = now.cast[name] ?? { absent: null };
  if (absent && was.cast[name]?.absent === null) return { kind: "out", title: t(`tricube.felt.${absent}`), text: "" };
  const outcome = rolledOf(now)?.rolls[name]?.outcome;
  if (!outcome || !isOut(now, name) || (isOut(was, name) && rolledOf(was)?.rolls[name]?.outcome === outcome))
    return null;
  const roll = rolledOf(now)?.rolls[name];
  return { kind: KINDS[outcome] ?? "shown", title: t(`tricube.felt.${outcome}`), text: roll ? againstSaid(roll) : "" };
}

/** Identifies a roll, so that the outcome of one is not shown for the next. @param {State} state */
export function shown({ game }) {
  if (game?.ruleset !== "tricube") return "";
  const rolled = rolledOf(game);
  const dice = rolled?.order.map((who) => rolled.rolls[who]?.dice?.join("") ?? "") ?? [];
  return dice.every(Boolean) ? dice.join(" ") : "";
}
