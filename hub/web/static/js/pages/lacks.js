/** Parts of the panel of buttons that do not work, for the GM's page and the display. */

import { h } from "../core/dom.js";
import { t } from "../core/texts.js";

/**
 * A note about parts of the panel that do not work: presses there have no effect.
 * @param {string[]} [missing]
 * @param {string} [look]
 */
export const panelLacks = (missing = [], look = "hindrance") =>
  missing.length > 0 &&
  h(
    "p",
    { class: look, key: "panel", role: "status" },
    missing.includes("panel") ? t("gm.panel.missing") : t("gm.panel.parts", { pins: missing.join(", ") }),
  );
