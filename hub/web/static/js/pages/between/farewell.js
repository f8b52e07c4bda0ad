/** The end of the evening: its title, the players, the scenes' results, thanks. */

import { h } from "../../core/dom.js";
import { mark } from "../../core/shapes.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Part} Part */

/**
 * @param {{head: string, more: string, evening: string, party: Part, results: Part[]}} shown
 */
export const farewell = ({ head, more, evening, party, results }) =>
  h(
    "main",
    { class: "interval farewell", key: "farewell" },
    h(
      "header",
      { key: "evening" },
      mark,
      h("p", { class: "eyebrow" }, head),
      h("h1", {}, evening),
      h("p", { class: "thanks" }, more),
    ),
    party,
    results.length > 0 &&
      h("section", { class: "results", key: "results" }, h("h2", {}, t("between.scenes")), h("ol", {}, results)),
  );
