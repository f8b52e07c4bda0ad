/** The latest rolls, and whether their outcome is final and public. */

/** @typedef {import("./types").TricubeView} TricubeView */

/** The current rolls, or else the last ones. @param {TricubeView} game */
export const rolledOf = ({ rolling, last_rolling: last }) => rolling ?? last;

/**
 * Whether a roll is decided: its dice have landed, and no karma can change it any more.
 * @param {TricubeView} game
 * @param {string} who
 */
export function isOut(game, who) {
  const { rolling } = game;
  const roll = rolledOf(game)?.rolls[who];
  if (!roll || (rolling && rolling.now === null)) return false;
  if (roll.moot || !rolling || roll.settled || rolling.now === who) return roll.moot || roll.outcome !== null;
  return roll.outcome !== null && (roll.karma !== null || !roll.wanted.length);
}
