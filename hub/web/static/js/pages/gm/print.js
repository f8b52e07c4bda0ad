/** The deck and further papers as PDF. */

import { h } from "../../core/dom.js";
import { panel } from "../../core/parts.js";
import { language, t } from "../../core/texts.js";

/** @type {Array<[string, string]>} Each variant's text and its query. */
const WAYS = [
  ["gm.print.starter", "paper=a4&starter=1"],
  ["gm.print", "paper=a4"],
  ["gm.print.letter", "paper=letter"],
  ["gm.print.fold", "paper=a4&layout=fold"],
  ["gm.print.fold.letter", "paper=letter&layout=fold"],
];
/** Each paper's text and its query. @type {Record<string, string>} */
const PAPERS = {
  rules: "what=rules",
  sheets: "what=sheets",
  countdowns: "what=countdowns",
  tents: "what=tents",
  "tents.keys": "what=tents&keys=1",
};
const SIZES = { a4: "A4", letter: "US Letter" };

/**
 * @param {string} what
 * @returns {import("../../core/types").Part}
 */
const sizes = (what) =>
  Object.entries(SIZES).map(([paper, size]) =>
    h(
      "a",
      {
        key: paper,
        href: `gm/papers.pdf?locale=${language()}&${PAPERS[what]}&paper=${paper}`,
        download: "",
        "aria-label": `${t(`gm.print.${what}`)}, ${size}`,
      },
      size,
    ),
  );

/**
 * Files to print, for different kinds of printers.
 * @param {import("../../core/types").State} state
 */
export const printPanel = (state) =>
  panel(
    "print",
    t("gm.print.deck"),
    h("p", { class: "hint" }, t("gm.print.help")),
    h(
      "ul",
      { class: "ways" },
      WAYS.map(([text, how]) =>
        h("li", { key: how }, h("a", { href: `gm/cards.pdf?locale=${language()}&${how}`, download: "" }, t(text))),
      ),
    ),
    h("h3", { key: "papers" }, t("gm.print.papers")),
    h("p", { class: "hint", key: "keys" }, t("gm.print.tents.help")),
    h(
      "ul",
      { class: "ways papers" },
      Object.keys(PAPERS)
        .filter((what) => state.story || what !== "sheets")
        .map((what) => h("li", { key: what }, h("span", {}, t(`gm.print.${what}`)), sizes(what))),
    ),
  );
