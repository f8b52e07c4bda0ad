/** New player characters: built here or from the text of their file, and whoever waits in reserve. */

import { builder } from "./build.js";
import { offered } from "./cast.js";
import { h } from "../../../core/dom.js";
import { pretty, t } from "../../../core/texts.js";
import { area, fold, form, menu, panel, press, row, tell } from "../../../core/parts.js";

/** @typedef {import("../../../core/types").State} State */
/** @typedef {import("../../../core/types").Ui} Ui */

const NEW = "fresh";

/**
 * @param {Ui} ui
 * @param {import("../types").Offered<"join">} offer
 */
function waiting(ui, { deed, reason }) {
  const { name } = deed;
  return row(
    tell(ui, t("gm.fresh.join", { name: pretty(name) }), deed, { why: reason }),
    press(ui, `${t("gm.npc.remove")}: ${pretty(name)}`, { command: "remove-character", name }, { place: `remove ${name}` }),
  );
}

/**
 * @param {State} state
 * @param {Ui} ui
 */
function newForm(state, ui) {
  const { toml = "", seat = "" } = form(ui, NEW);
  const seats = [["", t("gm.fresh.seat.any")], ...state.seats.map((each) => [each.seat, pretty(each.seat)])];
  return h(
    "div",
    { class: "form", key: NEW },
    area(NEW, "toml", t("gm.fresh.text"), { max: 3600 }),
    menu(ui, NEW, "seat", t("gm.fresh.seat"), seats),
    press(ui, t("gm.fresh.add"), { command: "add-character", toml, seat }, {
      place: "add fresh",
      kind: "offer default",
      why: toml.trim() ? "" : t("gm.fresh.none"),
      after: NEW,
    }),
  );
}

/**
 * Who could join, and the form for somebody new.
 * @param {State} state
 * @param {Ui} ui
 */
export const freshPanel = (state, ui) =>
  state.story &&
  panel(
    "newcomers",
    t("gm.fresh"),
    offered(ui, "join").map((each) => waiting(ui, each)),
    fold(ui, NEW, t("gm.fresh.new"), () => [builder(state, ui), fold(ui, "fresh-file", t("gm.fresh.file"), () => newForm(state, ui))]),
  );
