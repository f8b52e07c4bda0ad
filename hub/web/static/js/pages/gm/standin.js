/** When the time is up, the GM may choose for a player from the hub's offers. */

import { fold } from "../../core/parts.js";
import { pretty, t } from "../../core/texts.js";
import { cards } from "./hand.js";

/**
 * The choices for a character whose time is up; nothing before that, or without offers.
 * @param {import("../../core/types").Ui} ui
 * @param {string} name
 */
export function standIn(ui, name) {
  const offers = ui.console.stand_ins[name];
  return (
    offers?.length > 0 &&
    fold(ui, `stand-in-${name}`, t("gm.stand-in", { name: pretty(name) }), () =>
      cards(ui, name, offers[0].kind, offers),
    )
  );
}
