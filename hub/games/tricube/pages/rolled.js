/** What was rolled last, and whether everybody may know how it came out. */

/** @typedef {import("./types").TricubeView} TricubeView */

/** Rolls that are settled now, or were last. @param {TricubeView} game */
export const rolledOf = ({ rolling, last_rolling: last }) => rolling ?? last;

/**
 * Whether a roll has come out: its dice lie, and no karma can change it any more.
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
