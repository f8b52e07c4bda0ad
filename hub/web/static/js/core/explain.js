/** Explains a word in a dialog, closed by its button, Esc, or a tap outside. */

import { h, make, nearest } from "./dom.js";
import { game } from "./game.js";
import { knows, t } from "./texts.js";
import { letWords, meaningOf } from "./words.js";

/**
 * The meaning of a common word, if the texts have one.
 * @param {string} id
 */
function common(id) {
  const [title, more] = [`word.${id}`, `word.${id}.more`];
  return knows(more) ? { title: t(title), text: [t(more)] } : null;
}

/** Whether an explanation is open. */
export const explains = () => document.querySelector("dialog.meaning[open]") !== null;

/**
 * Let the words of a page explain themselves.
 * @param {HTMLElement} root
 * @param {Object} page
 * @param {() => Record<string, unknown>} page.means the hub's explanations of the viewer's own
 *   cards
 * @param {() => void} page.onClose
 */
export function letExplain(root, { means, onClose }) {
  letWords((id) => game().explain(id, means()) ?? common(id));
  root.addEventListener("click", (event) => {
    const id = nearest(event, "[data-word]")?.dataset.word;
    const found = id && meaningOf(id);
    if (found) open(found, onClose);
  });
}

/**
 * @param {import("./words").Meaning} meaning
 * @param {() => void} onClose
 */
function open({ title, text }, onClose) {
  const button = h("button", { type: "button", class: "offer default", "data-close": true }, t("word.close"));
  const drawn = h(
    "dialog",
    { class: "meaning", "aria-labelledby": "meaning" },
    h("h2", { id: "meaning", tabindex: "-1", autofocus: true }, title),
    text.map((each) => h("p", {}, each)),
    button,
  );
  const dialog = /** @type {HTMLDialogElement} */ (make(drawn));
  dialog.addEventListener("click", (event) => {
    if (nearest(event, "[data-close]") || isBeside(dialog, event)) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Whether a tap was outside the dialog; a button pressed by key has no position.
 * @param {HTMLElement} dialog
 * @param {MouseEvent} event
 */
function isBeside(dialog, { target, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (x < left || x > right || y < top || y > bottom);
}

/**
 * A small "?" button, for a word that cannot be a button itself.
 * @param {string} id
 */
export function ask(id) {
  const found = meaningOf(id);
  if (!found) return null;
  return h(
    "button",
    {
      type: "button",
      class: "ask",
      key: `ask-${id}`,
      "data-word": id,
      "aria-label": t("word.what", { word: found.title }),
    },
    h("span", {}, "?"),
  );
}
