/** Reconstructs the states of a scene from their differences. */

/** @typedef {import("../../core/types").StateFrame} StateFrame */
/** @typedef {import("../../core/types").Changed} Changed */

/**
 * Apply a difference to a value: a list holds the new value, an object the differences by key, and
 * 0 removes a key.
 * @param {any} before
 * @param {Changed} change
 * @returns {any}
 */
export function applied(before, change) {
  if (Array.isArray(change)) return change[0];
  const after = { ...before };
  for (const [key, each] of Object.entries(change)) {
    if (each === 0) delete after[key];
    else after[key] = applied(before[key], each);
  }
  return after;
}

/**
 * Each step as the frame that pages were sent, without its timer.
 * @param {Array<{change: Changed}>} steps
 * @returns {StateFrame[]}
 */
export function framesOf(steps) {
  /** @type {any} */
  let state = null;
  return steps.map(({ change }) => {
    state = applied(state, change);
    return { ...state, timer: null };
  });
}
