/** A first choice at a new table: play one character against the hub, play all hands, or watch. */

import { h } from "../../core/dom.js";
import { press, turn } from "../../core/parts.js";
import { pretty, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

const ALONE = "all-hands";

/**
 * The choice; null once it was made, or after a scene has begun.
 * @param {State|null} state
 * @param {Ui} ui
 */
export function invite(state, ui) {
  if (state?.phase !== "idle" || state.scene > 0 || state.hub_plays.length || ui.folds.has(ALONE)) return null;
  const everybody = state.seats.flatMap((seat) => seat.characters);
  const you = state.seats.find((seat) => seat.seat !== ui.console.gm_seat && seat.characters.length)?.characters[0];
  if (!you) return null;
  /** @param {string[]} actors @param {string} key @param {string} kind */
  const begin = (actors, key, kind) =>
    press(
      ui,
      t(`invite.${key}`),
      { command: "let-hub-play", actors, on: true },
      {
        place: `invite ${key}`,
        kind,
        more: t(`invite.${key}.more`, { name: pretty(you) }),
      },
    );
  return h(
    "section",
    { class: "gm invite", key: "invite", "aria-labelledby": "invite" },
    h("h2", { id: "invite" }, t("invite")),
    h(
      "div",
      { class: "ways" },
      begin([...everybody.filter((name) => name !== you), "gm"], "against", "offer default"),
      turn([h("b", {}, t("invite.all")), h("small", {}, t("invite.all.more"))], { fold: ALONE }, { kind: "offer" }),
      begin([...everybody, "gm"], "watch", "offer"),
    ),
  );
}
