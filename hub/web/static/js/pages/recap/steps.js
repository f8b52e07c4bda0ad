/** The states of a scene, from what is new of each. */

/** @typedef {import("../../core/types").StateFrame} StateFrame */
/** @typedef {import("../../core/types").Changed} Changed */

/**
 * A value with what is new of it: a list holds the one new value, an object what is new of each key, 0
 * stands for what is gone.
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
 * Each step as the frame that pages were sent. No clock runs in what is over.
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
