/** A character's sheet for its player, in a scene and between scenes. */

import { h } from "#core/dom.js";
import { pretty, t } from "#core/texts.js";
import { written } from "./lasting.js";

/** @typedef {import("./lasting.js").Lasting} Lasting */

/**
 * @param {import("#core/types.js").State|null} state
 * @param {import("#core/types.js").Actor} actor
 */
export function sheet(state, { name, sheet: own }) {
  const game = state?.game?.ruleset === "tricube" ? state.game : null;
  const kept = /** @type {Lasting|null} */ (own);
  const now = game?.cast[name];
  /** During a scene, tokens and afflictions come from the scene. @type {Lasting|null} */
  const shown = now
    ? { description: kept?.description ?? "", ...now, dead: now.absent === "dead" }
    : game
      ? null
      : kept;
  if (!shown) return null;
  const title = t("tricube.own.sheet", { name: pretty(name) });
  return h(
    "section",
    { class: "own-sheet", key: "sheet", "aria-label": title },
    h("h2", { key: "title" }, title),
    written(shown),
  );
}
