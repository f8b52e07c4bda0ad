/** What the tourists' words mean. */

import { knows, t } from "#core/texts.js";

/**
 * @param {string} id
 */
export function explain(id) {
  // A danger may be of a kind with a look of its own before it.
  const word = id.split(" ").at(-1);
  const more = `tourists.word.${word}.more`;
  return knows(more) ? { title: t(`tourists.word.${word}`), text: [t(more)] } : null;
}
