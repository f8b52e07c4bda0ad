/** The deck on paper. */

import { h } from "../../core/dom.js";
import { panel } from "../../core/parts.js";
import { language, t } from "../../core/texts.js";

/** @type {Array<[string, string]>} What is offered, and how it is asked for. */
const WAYS = [["gm.print", "paper=a4"], ["gm.print.letter", "paper=letter"], ["gm.print.fold", "paper=a4&layout=fold"], ["gm.print.fold.letter", "paper=letter&layout=fold"]];

/** A file to print, for each way in which printers differ. */
export const printPanel = () =>
  panel(
    "print",
    t("gm.print.deck"),
    h("p", { class: "hint" }, t("gm.print.help")),
    h("ul", { class: "ways" }, WAYS.map(([text, how]) =>
      h("li", { key: how }, h("a", { href: `gm/cards.pdf?locale=${language()}&${how}`, download: "" }, t(text))))),
  );
