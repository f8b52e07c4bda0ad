/** What the GM has of a tale. */

import { sheetsPanel } from "./gm/sheets.js";

export { aside, asks, dangers, editor, facing, offerName, question } from "./asked.js";
export { hand, heading, meaning } from "./seat-cards.js";
export { begin } from "./gm/begin.js";
export { changes } from "./gm/changes.js";
export { atOnce, deedSaid } from "./gm/deeds.js";
export { held, WORDING as wording } from "./gm/holds.js";
export { begins, cameSaid, choiceSaid, sceneSaid } from "./gm/told.js";

/** @param {import("../../core/types").State} state @param {import("../../core/types").Ui} ui */
export const storyPanels = (state, ui) => [sheetsPanel(state, ui)];
