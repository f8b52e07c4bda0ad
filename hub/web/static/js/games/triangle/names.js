/** Names inside what the GM says, which may be words of that language themselves. */

import { TYPES } from "./shapes.js";

const PLAIN = /^[\p{L}\p{N}_’'-]+$/u;
/** What a name that stands bare could be taken for. */
const WORDS = new Set([
  ...TYPES, "because", "nobody", "none", "by", "as", "against", "won", "tied", "yes", "no",
  "turn", "loss", "combo", "end",
]);

/**
 * A name as the hub reads it: in double quotes where it could be taken for something else.
 * @param {string} name
 * @param {string[]} others everybody who could be meant in its place
 */
export function written(name, others = []) {
  const plain = PLAIN.test(name) && !WORDS.has(name) && !others.some((other) => other.startsWith(`${name} `));
  return plain ? name : `"${name}"`;
}
