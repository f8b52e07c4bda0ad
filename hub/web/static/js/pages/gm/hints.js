/** First-run hints, one for each tab, until dismissed in this browser. They can be restored. */

import { h } from "../../core/dom.js";
import { panel, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";

const READ = "facedown-hints-read";
const TABS = ["now", "scene", "story", "log", "keys"];

/** Dismissed hints; without storage they are remembered while the page is open. @type {string[]} */
let read = kept();

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(READ) ?? "[]");
    return Array.isArray(found) ? TABS.filter((tab) => found.includes(tab)) : [];
  } catch {
    return [];
  }
}

/** @param {string[]} tabs */
function keep(tabs) {
  read = tabs;
  try {
    localStorage.setItem(READ, JSON.stringify(tabs));
  } catch {
    // A private window has no storage: the hint returns on reload.
  }
}

/** Handlers for `data-do`. */
export const hinting = {
  "hint-read": (/** @type {string} */ tab) => keep([...read, tab]),
  "hints-read": () => keep(TABS),
  "hints-again": () => keep([]),
};

/**
 * The hint of a tab; null once it was dismissed.
 * @param {string} tab
 */
export function hint(tab) {
  if (read.includes(tab)) return null;
  return h(
    "div",
    { class: "first-hint", key: `hint-${tab}`, role: "note", "aria-label": t("gm.hint") },
    h("p", {}, t(`gm.hint.${tab}`)),
    row(
      turn(t("word.close"), { do: "hint-read", of: tab }, { key: "read" }),
      read.length < TABS.length - 1 && turn(t("gm.hints.none"), { do: "hints-read" }, { key: "none" }),
    ),
  );
}

/** Questions that players ask during an evening. */
const ASKED = ["back", "who", "leave", "reader", "wrong", "end"];

/** Answers to players' questions, and a button to restore the hints. */
export const helpPanel = () =>
  panel(
    "help",
    t("gm.help"),
    h(
      "dl",
      { key: "asked" },
      ASKED.map((one) => h("div", { key: one }, h("dt", {}, t(`gm.help.${one}`)), h("dd", {}, t(`gm.help.${one}.do`)))),
    ),
    row(
      turn(
        t("gm.hints.again"),
        { do: "hints-again" },
        { key: "again", why: read.length ? "" : t("gm.hints.shown"), hush: true },
      ),
    ),
  );
