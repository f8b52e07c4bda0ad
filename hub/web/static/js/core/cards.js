/** Playing cards, as the family that is played draws them: faces, backs, and small ones. */

import { h } from "./dom.js";
import { cardOf } from "./game.js";
import { back } from "./shapes.js";

/**
 * A choice in its parts: `move attack-high` is of the kind `move`.
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
 * What a card shows when it lies face up.
 * @param {string} kind
 * @param {string} value
 * @param {string} [label] what it was called when it was written
 * @returns {import("./types").Part}
 */
export function front(kind, value, label = "") {
  const card = cardOf(kind, value);
  if (card.front) return card.front();
  return [h("span", { class: "picture" }), h("span", { class: "name" }, h("b", {}, label || card.name))];
}

/**
 * The look of a card's colour.
 * @param {string} kind
 * @param {string} value
 */
export const hue = (kind, value) => cardOf(kind, value).hue ?? "plain";

/**
 * A card that can turn over.
 * @param {Object} card
 * @param {string} card.key the same before and after it is turned
 * @param {string} card.kind
 * @param {string|null} card.value null while it lies face down: the page knows no more than that
 * @param {string} [card.extra] more classes
 * @param {string} card.hidden what is said of it while it lies face down
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
      h("div", { class: `face front ${value === null ? "" : hue(kind, value)}`, key: "front" }, value !== null && front(kind, value)),
    ),
  );
}

/** The back of a card. */
export const backFace = () => h("div", { class: "face back", key: "back" }, back);
