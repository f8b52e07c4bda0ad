/** First-run hints: one for each tab, until it was read on this browser. They can be called back. */

import { h } from "../../core/dom.js";
import { panel, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";

const READ = "facedown-hints-read";
const TABS = ["now", "scene", "story", "log", "keys"];

/** Those that were read; a browser that keeps nothing remembers them as long as the page is open. @type {string[]} */
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
    // A private window keeps nothing; the hint is away until the page is loaded again.
  }
}

/** What `data-do` can name. */
export const hinting = {
  "hint-read": (/** @type {string} */ tab) => keep([...read, tab]),
  "hints-read": () => keep(TABS),
  "hints-again": () => keep([]),
};

/**
 * The hint of a tab; null once it was read.
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

/** What players ask in the middle of an evening. */
const ASKED = ["back", "who", "leave", "reader", "wrong", "end"];

/** What to press when a player asks; and the hints called back. */
export const helpPanel = () =>
  panel(
    "help",
    t("gm.help"),
    h("dl", { key: "asked" }, ASKED.map((one) => h("div", { key: one }, h("dt", {}, t(`gm.help.${one}`)), h("dd", {}, t(`gm.help.${one}.do`))))),
    row(turn(t("gm.hints.again"), { do: "hints-again" }, { key: "again", why: read.length ? "" : t("gm.hints.shown"), hush: true })),
  );
