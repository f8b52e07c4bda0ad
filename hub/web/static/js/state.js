/**
 * The state frame as the pages use it: the game's own fields can be had as `game`, which is null
 * while no scene is played; the timer's end is a number.
 * @param {Object} frame
 */
export function readState(frame) {
  const timer = frame.timer && {
    deadlineMs: Date.parse(frame.timer.deadline),
    seconds: frame.timer.seconds,
  };
  return { ...frame, timer, game: frame.ruleset ? frame : null };
}
