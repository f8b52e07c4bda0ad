/** New player characters: built here, imported from a file's text, or waiting in the reserve. */

import { h } from "#core/dom.js";
import { area, fold, form, menu, panel, press, row, tell } from "#core/parts.js";
import { list, pretty, seatName, t } from "#core/texts.js";
import { builder } from "../build.js";
import { choiceName } from "../cards.js";
import { worded } from "../worded.js";
import { offered, own } from "./cast.js";
import { energyLine } from "./npcs.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

const NEW = "fresh";
/** @type {Array<"belief"|"flaw"|"goal">} */
const TRAITS = ["belief", "flaw", "goal"];

/**
 * @param {Ui} ui
 * @param {import("../types").Offered<"join">} offer
 */
function waiting(ui, { deed, reason }) {
  const { name } = deed;
  return row(
    tell(ui, t("gm.fresh.join", { name: pretty(name) }), deed, { why: reason }),
    press(
      ui,
      `${t("gm.npc.remove")}: ${pretty(name)}`,
      { command: "remove-character", name },
      { place: `remove ${name}` },
    ),
  );
}

/**
 * Characters that players have built for their seats, each with its sheet, to accept or refuse.
 * @param {State} state
 * @param {Ui} ui
 */
export function asking(state, ui) {
  const asked = offered(ui, "join").flatMap((each) => {
    const at = state.seats.find(
      ({ seat, characters }) => seat !== ui.console.gm_seat && characters.includes(each.deed.name),
    );
    const sheet = own(ui).reserve[each.deed.name];
    return at && sheet ? [{ ...each, seat: at.seat, sheet }] : [];
  });
  if (!asked.length) return null;
  return panel(
    "asked-for",
    t("gm.asking"),
    asked.map(({ seat, sheet, ...each }) =>
      h(
        "div",
        { class: "form", key: each.deed.name, role: "group", "aria-label": pretty(each.deed.name) },
        h("p", { key: "who" }, t("gm.asking.who", { name: pretty(each.deed.name), seat: seatName(seat) })),
        h(
          "p",
          { key: "what" },
          h("span", {}, t("gm.npc.level", { level: sheet.level })),
          " ",
          energyLine(sheet),
          " ",
          list(sheet.moves.map(({ id, variant }) => choiceName("move", `${id} ${variant}`.trim()))),
        ),
        TRAITS.filter((trait) => worded(sheet[trait].text)).map((trait) =>
          h("p", { class: "hint", key: trait }, `${t(`gm.${trait}`)}: ${sheet[trait].text}`),
        ),
        row(
          tell(ui, t("gm.asking.yes", { name: pretty(each.deed.name) }), each.deed, {
            kind: "offer default",
            why: each.reason,
          }),
          press(
            ui,
            t("gm.asking.no"),
            { command: "remove-character", name: each.deed.name },
            { place: `remove ${each.deed.name}`, name: t("gm.asking.no.of", { name: pretty(each.deed.name) }) },
          ),
        ),
      ),
    ),
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
    press(
      ui,
      t("gm.fresh.add"),
      { command: "add-character", toml, seat },
      {
        place: "add fresh",
        kind: "offer default",
        why: toml.trim() ? "" : t("gm.fresh.none"),
        after: NEW,
      },
    ),
  );
}

/**
 * The reserve, and the form for a new character.
 * @param {State} state
 * @param {Ui} ui
 */
export const freshPanel = (state, ui) =>
  state.story &&
  panel(
    "newcomers",
    t("gm.fresh"),
    offered(ui, "join").map((each) => waiting(ui, each)),
    fold(ui, NEW, t("gm.fresh.new"), () => [
      builder(state, ui),
      fold(ui, "fresh-file", t("gm.fresh.file"), () => newForm(state, ui)),
    ]),
  );
