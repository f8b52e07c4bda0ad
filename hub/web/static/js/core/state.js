const SOON_S = 5;

/**
 * The state frame as the pages use it: the timer's end is a number, and it warns when `soon`
 * seconds are left.
 * @param {import("./types").StateFrame} frame
 * @returns {import("./types").State}
 */
export function readState(frame) {
  const timer = frame.timer && {
    deadlineMs: Date.parse(frame.timer.deadline),
    seconds: frame.timer.seconds,
    soon: Math.max(...frame.timer.warnings, 0) || SOON_S,
  };
  return { ...frame, timer };
}
