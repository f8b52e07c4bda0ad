/** Who plays whom: people, or the hub. */

import { h } from "../../core/dom.js";
import { panel, press, row } from "../../core/parts.js";
import { list, pretty, seatName, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * A button that hands characters to the hub, or takes them back.
 * @param {State} state
 * @param {Ui} ui
 * @param {string[]} actors
 * @param {string} place
 */
function handOver(state, ui, actors, place) {
  const on = !actors.every((name) => state.hub_plays.includes(name));
  const who = list(actors);
  return press(
    ui,
    t(on ? "gm.hub.give" : "gm.hub.take"),
    { command: "let-hub-play", actors, on },
    {
      place: `hub ${place}`,
      name: t(on ? "gm.hub.give.who" : "gm.hub.take.who", { names: who }),
    },
  );
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {string[]} actors
 * @param {string} label
 * @param {string} place
 */
function player(state, ui, actors, label, place) {
  const on = actors.every((name) => state.hub_plays.includes(name));
  return h(
    "li",
    { class: `who-plays ${on ? "hub" : ""}`, key: place },
    h("b", {}, label),
    h("span", {}, t(on ? "gm.hub.on" : "gm.hub.off")),
    handOver(state, ui, actors, place),
  );
}

/**
 * Replaces the GM's scene panel while the hub is the GM: what the hub does, and how to take over.
 * @param {State} state
 * @param {Ui} ui
 */
export function directedPanel(state, ui) {
  const seat = state.seats.find((each) => each.seat === ui.console.gm_seat);
  const own = (seat?.characters ?? []).filter((name) => state.hub_plays.includes(name));
  return panel(
    "directed",
    t("gm.directed"),
    h("p", {}, own.length ? t("gm.directed.plays", { names: list(own) }) : t("gm.directed.more")),
    row(
      press(
        ui,
        t("gm.directed.take"),
        { command: "let-hub-play", actors: ["gm", ...own], on: false },
        { place: "directed", more: t("gm.directed.take.more") },
      ),
    ),
  );
}

/**
 * All seats, and the GM as the referee.
 * @param {State} state
 * @param {Ui} ui
 */
export function playersPanel(state, ui) {
  const rows = state.seats.flatMap(({ seat, characters }) => {
    const each = characters.map((name) => player(state, ui, [name], pretty(name), name));
    return characters.length > 1
      ? [player(state, ui, [...characters], t("gm.hub.seat", { seat: seatName(seat) }), `seat ${seat}`), ...each]
      : each;
  });
  return panel(
    "players",
    t("gm.hub"),
    h("p", { class: "hint" }, t("gm.hub.more")),
    h("ul", { class: "players" }, rows, player(state, ui, ["gm"], t("gm.hub.referee"), "gm")),
  );
}

/**
 * The characters for whom the hub finds no choice, with a remedy; null if there are none.
 * @param {State|null} state
 * @param {Ui} ui
 */
export function stuckNote(state, ui) {
  const { stuck } = ui.console;
  if (!state || !stuck.length) return null;
  return h(
    "div",
    { class: "stuck", role: "alert", key: "stuck" },
    h("p", {}, t("gm.hub.stuck", { names: list(stuck) })),
    press(
      ui,
      t("gm.hub.take.who", { names: list(stuck) }),
      { command: "let-hub-play", actors: [...stuck], on: false },
      { place: "hub stuck" },
    ),
  );
}
