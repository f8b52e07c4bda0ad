/** Tokens of karma, resolve and effort. */

import { h } from "#core/dom.js";

/** More tokens than this are shown as a number. */
const MOST_TOKENS = 12;

/**
 * Present and lost tokens.
 * @param {string} kind
 * @param {number} has
 * @param {number} most
 * @param {string} said
 */
export const tokens = (kind, has, most, said) =>
  h(
    "span",
    { class: `tale-tokens ${kind}`, key: kind, role: "img", "aria-label": said },
    most > MOST_TOKENS
      ? h("b", {}, `${has}/${most}`)
      : Array.from({ length: Math.max(has, most) }, (_, at) =>
          h("i", { class: at < has ? "on" : "", key: `token-${at}` }),
        ),
  );
