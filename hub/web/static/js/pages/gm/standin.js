/** When the time to choose is up, the GM may choose for who has not: from what the hub offers. */

import { pretty, t } from "../../core/texts.js";
import { fold } from "../../core/parts.js";
import { cards } from "./hand.js";

/**
 * A choice for somebody whose time is up; null while there is time, or nothing to choose.
 * @param {import("../../core/types").Ui} ui
 * @param {string} name
 */
export function standIn(ui, name) {
  const offers = ui.console.stand_ins[name];
  return offers?.length > 0 && fold(ui, `stand-in-${name}`, t("gm.stand-in", { name: pretty(name) }), () => cards(ui, name, offers[0].kind, offers));
}
