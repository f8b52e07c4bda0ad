/**
 * The panel of buttons on the display: its missing parts, and a preview of an undo while its button
 * is held, with a ring that fills.
 */

import { h, s } from "../core/dom.js";
import { fetchStyle } from "../core/later.js";
import { loadMore, t } from "../core/texts.js";
import { lines } from "./gm/sentences.js";
import { panelLacks } from "./lacks.js";

/** @typedef {NonNullable<import("../core/types").State["panel"]>} Panel */

const RADIUS = 42;

/** Load all texts, and the styles. */
export async function ready() {
  await Promise.all([loadMore(""), fetchStyle("held")]);
  return (/** @type {Panel} */ { missing, holding }) => [panelLacks(missing, "lost-readers"), holding && held(holding)];
}

/** @param {NonNullable<Panel["holding"]>} holding */
function held({ what, entries }) {
  const said = lines(entries);
  /** @param {string} name */
  const circle = (name) => s("circle", { class: name, cx: 50, cy: 50, r: RADIUS, pathLength: 1 });
  return h(
    "div",
    { class: "held", key: `held-${what}`, role: "status" },
    h(
      "div",
      { class: "hold" },
      s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, [circle("track"), circle("fills")]),
      h("div", {}, h("p", { class: "eyebrow" }, t("gm.panel.hold")), h("h2", {}, t(`gm.undo.${what}`))),
    ),
    said.length > 0 && h("p", { class: "takes" }, t("gm.panel.takes")),
    said.length
      ? h(
          "ul",
          {},
          said.map((text, at) => h("li", { key: `line-${at}` }, text)),
        )
      : h("p", { class: "takes" }, t("gm.panel.only")),
  );
}
