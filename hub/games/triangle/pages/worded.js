/**
 * Whether a belief, flaw or goal has a text: a character may begin with three dots.
 * @param {string|undefined} text
 */
export const worded = (text) => /\p{L}/u.test(text ?? "");
