/** Words that explain themselves: buttons on pages that can explain them, plain text on others. */

import { h } from "./dom.js";

/**
 * The meaning of a word: its name, and a few sentences.
 * @typedef {{title: string, text: string[]}} Meaning
 */

/** @type {((id: string) => Meaning|null)|null} */
let find = null;

/**
 * Let the words of this page be pressed.
 * @param {(id: string) => Meaning|null} meaning
 */
export const letWords = (meaning) => {
  find = meaning;
};

/**
 * The meaning of a word; null if this page cannot explain it.
 * @param {string} id
 */
export const meaningOf = (id) => find?.(id) ?? null;

/**
 * A word, by its id among those that the pages and the families explain.
 * @param {string} id
 * @param {import("./types").Part} label
 * @param {Object} [how]
 * @param {string} [how.look] its classes
 * @param {string} [how.key]
 * @returns {import("./types").Part}
 */
export function word(id, label, { look = "", key } = {}) {
  const plain = look ? h("span", { class: look, key }, label) : label;
  return find?.(id)
    ? h("button", { type: "button", class: look ? "word" : "word plain", key, "data-word": id }, plain)
    : plain;
}
