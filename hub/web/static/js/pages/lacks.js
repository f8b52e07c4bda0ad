/** What of the panel of buttons cannot be used, for the GM and for the display’s own part of it. */

import { h } from "../core/dom.js";
import { t } from "../core/texts.js";

/**
 * What of the panel of buttons cannot be used: somebody presses there, and nothing happens.
 * @param {string[]} [missing]
 * @param {string} [look]
 */
export const panelLacks = (missing = [], look = "hindrance") =>
  missing.length > 0 && h("p", { class: look, key: "panel", role: "status" }, missing.includes("panel") ? t("gm.panel.missing") : t("gm.panel.parts", { pins: missing.join(", ") }));
