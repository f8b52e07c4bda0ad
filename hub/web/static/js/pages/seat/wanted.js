/** The bar that leads to a wanted character: the page is scrolled, or shows another one. */

import { h } from "../../core/dom.js";
import { pretty, t } from "../../core/texts.js";

/**
 * The bar; null if the question is in sight.
 * @param {string[]} wanted the wanted characters
 * @param {string} current the character shown
 * @param {string} what its task
 * @param {boolean} away whether the page is scrolled away from the question
 */
export function wantedBar(wanted, current, what, away) {
  const here = wanted.includes(current);
  const name = here ? (away ? current : "") : wanted[0];
  if (!name) return null;
  const text = here ? t("own.wanted", { what }) : t("own.wanted.other", { name: pretty(name) });
  return h(
    "button",
    { type: "button", class: "own-wanted", key: "wanted", "data-come": name },
    h("span", { "aria-hidden": "true" }, "↑"),
    h("b", {}, text),
  );
}
