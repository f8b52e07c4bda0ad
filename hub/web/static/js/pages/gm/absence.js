/** For a player who has to leave: play the character, or go on without it. */

import { h } from "../../core/dom.js";
import { fold, press, row } from "../../core/parts.js";
import { pretty, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * The button by which the GM takes over a character, or gives it back.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} actor
 */
function playFor(state, ui, actor) {
  const on = !state.gm_plays.includes(actor);
  return press(
    ui,
    t(on ? "command.play-for" : "gm.give-back", { name: pretty(actor) }),
    { command: "play-for", actor, on },
    {
      place: `play for ${actor}`,
      kind: on ? "offer" : "quiet",
      more: on ? t("gm.leaves.play") : "",
    },
  );
}

/**
 * The buttons to go on without a character, for this scene or until the player is back; or the one
 * to bring it back.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} actor
 */
function sitOut(state, ui, actor) {
  const { reason = "" } = ui.console.sitting[actor] ?? {};
  const asked = actor in ui.console.sitting;
  const name = pretty(actor);
  const sits = state.sits_out.includes(actor);
  const stays = state.away.includes(actor);
  const lasting = press(
    ui,
    t("command.stay-away", { name }),
    { command: "sit-out", actor, out: true, lasting: true },
    {
      place: `stay away ${actor}`,
      kind: sits ? "quiet" : "offer",
      more: t("gm.leaves.away"),
      why: sits ? "" : reason,
    },
  );
  if (!sits && !stays) {
    return [
      asked &&
        press(
          ui,
          t("command.sit-out", { name }),
          { command: "sit-out", actor, out: true },
          { place: `sit out ${actor}`, kind: "offer", more: t("gm.leaves.out"), why: reason },
        ),
      ["idle", "over"].includes(state.phase) || asked ? lasting : null,
    ];
  }
  const back = press(
    ui,
    t("gm.is-back", { name }),
    { command: "sit-out", actor, out: false },
    { place: `sit out ${actor}`, kind: "quiet", why: stays ? "" : reason },
  );
  return [back, !stays && lasting];
}

/**
 * The button by which the hub takes over a character, or gives it back.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} actor
 */
function hubPlays(state, ui, actor) {
  const on = !state.hub_plays.includes(actor);
  return press(
    ui,
    t(on ? "gm.hub.give.who" : "gm.hub.take.who", { names: pretty(actor) }),
    { command: "let-hub-play", actors: [actor], on },
    {
      place: `hub for ${actor}`,
      kind: on ? "offer" : "quiet",
    },
  );
}

/**
 * The options for a player who has to leave, folded; the way back is always visible.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
export function leaves(state, ui, name) {
  const plays = state.gm_plays.includes(name);
  const sits = [...state.sits_out, ...state.away].includes(name);
  const hub = state.hub_plays.includes(name);
  if (plays || sits || hub) {
    ui.folds.delete(`leaves-${name}`); // folded again for when the player is back
    return h(
      "div",
      { class: "row", key: `left-${name}` },
      plays && playFor(state, ui, name),
      sits && sitOut(state, ui, name),
      hub && hubPlays(state, ui, name),
    );
  }
  const ways = () => row(playFor(state, ui, name), hubPlays(state, ui, name), sitOut(state, ui, name));
  return h(
    "div",
    { class: "leaves", key: `leaves-${name}` },
    fold(ui, `leaves-${name}`, t("gm.leaves", { name: pretty(name) }), ways),
  );
}
