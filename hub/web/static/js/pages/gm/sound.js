/** The volume of the table, for all displays at once. */

import { h } from "../../core/dom.js";
import { panel, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";

const STEP = 20;

/**
 * Louder, softer, mute; shows the hub's latest volume.
 * @param {import("../../core/types").Ui} ui
 */
export function soundPanel(ui) {
  const { volume, muted } = ui.sound ?? {};
  if (volume === undefined) return null;
  /**
   * @param {string} what
   * @param {number} by
   */
  const step = (what, by) =>
    turn(
      t(`gm.sound.${what}`),
      { do: "volume", of: by },
      { key: what, why: volume === (by < 0 ? 0 : 100) ? t("gm.sound.end") : "", hush: true },
    );
  return panel(
    "sound",
    t("gm.sound"),
    h("p", { class: "hint" }, t("gm.sound.help")),
    row(
      step("softer", -STEP),
      h("output", { class: "volume", key: "volume" }, muted ? t("gm.sound.muted") : t("gm.sound.volume", { volume })),
      step("louder", STEP),
      turn(t("gm.sound.mute"), { do: "mute", of: String(!muted) }, { key: "mute", pressed: muted }),
    ),
  );
}
