/** The portraits of all characters at the table, for the GM to choose or to remove pictures. */

import { looks } from "../../core/looks.js";
import { panel } from "../../core/parts.js";
import { t } from "../../core/texts.js";

/**
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Ui} ui
 */
export function portraitsPanel(state, ui) {
  const names = [...new Set(state.seats.flatMap(({ characters }) => characters))];
  return (
    names.length > 0 &&
    panel(
      "portraits",
      t("gm.portraits"),
      names.map((name) => looks(state, ui, name)),
    )
  );
}
