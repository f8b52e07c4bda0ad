/** Playing cards as their family draws them: faces, backs, and small ones. */

import { h } from "./dom.js";
import { cardOf, game } from "./game.js";

/**
 * Split a choice into kind and value: `move attack-high` is of the kind `move`.
 * @param {string} choice
 * @returns {[string, string]}
 */
export function partsOf(choice) {
  const [kind = "", ...words] = choice.split(" ");
  return [kind, words.join(" ")];
}

/**
 * A choice in words: Attack High, Grapple 3.
 * @param {string} kind
 * @param {string} value
 */
export const choiceName = (kind, value) => cardOf(kind, value).name;

/**
 * The front of a card.
 * @param {string} kind
 * @param {string} value
 * @param {string} [label] its label when the tag was written
 * @returns {import("./types").Part}
 */
export function front(kind, value, label = "") {
  const card = cardOf(kind, value);
  if (card.front) return card.front();
  return [h("span", { class: "picture" }), h("span", { class: "name" }, h("b", {}, label || card.name))];
}

/**
 * The colour class of a card.
 * @param {string} kind
 * @param {string} value
 */
export const hue = (kind, value) => cardOf(kind, value).hue ?? "plain";

/**
 * A card that can turn over.
 * @param {Object} card
 * @param {string} card.key the same before and after the turn
 * @param {string} card.kind
 * @param {string|null} card.value null while it is face down: the page knows no more than that
 * @param {string} [card.extra] more classes
 * @param {string} card.hidden its label while it is face down
 */
export function turningCard({ key, kind, value, extra = "", hidden }) {
  const label = value === null ? hidden : choiceName(kind, value);
  return h(
    "div",
    { key, class: `card turning ${kind} ${value === null ? "down" : "up"} ${extra}`, role: "img", "aria-label": label },
    h(
      "div",
      { class: "leaf" },
      backFace(),
      h(
        "div",
        { class: `face front ${value === null ? "" : hue(kind, value)}`, key: "front" },
        value !== null && front(kind, value),
      ),
    ),
  );
}

/** The back of a card of the current family. */
export const backFace = () => h("div", { class: "face back", key: "back" }, game().back);
