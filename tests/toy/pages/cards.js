/** The toy's cards: an approach by its printed sign. */

import { drawn, withPicture } from "#core/drawn.js";
import { t } from "#core/texts.js";
import { PICTURES } from "./pictures.js";

/**
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  const picture = PICTURES[`${kind} ${value}`];
  return picture ? withPicture({ name: t(`toy.approach.${value}`) }, drawn(picture)) : null;
}
