/** Explains the tourists' words. */

import { knows, t } from "#core/texts.js";

/**
 * @param {string} id
 */
export function explain(id) {
  // A danger's id may begin with a style class.
  const word = id.split(" ").at(-1);
  const more = `tourists.word.${word}.more`;
  return knows(more) ? { title: t(`tourists.word.${word}`), text: [t(more)] } : null;
}
