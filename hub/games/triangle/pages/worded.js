/**
 * Whether a belief, a flaw or a goal says anything yet: a character can begin with three dots there.
 * @param {string|undefined} text
 */
export const worded = (text) => /\p{L}/u.test(text ?? "");
