/** NPCs: their sheets, and new ones in seconds. */

import { choiceName, specialName } from "../cards.js";
import { h } from "../../../core/dom.js";
import { sign, TYPES } from "../shapes.js";
import { list, pretty, t } from "../../../core/texts.js";
import { bookMoves, bookSpecials, movesOf, own, specialsOf } from "./cast.js";
import { fold, form, line, menu, panel, press, row, stepper, tell, turn } from "../../../core/parts.js";

/** @typedef {import("../../../core/types").State} State */
/** @typedef {import("../../../core/types").Ui} Ui */
/** @typedef {import("../../../core/types").Deed} Deed */

const LIKE = "npc-like";
/** Apart, so that whoever was the pattern still is when the next one is wanted. */
const NAME = "npc-name";
const NEW = "npc-new";
const FIRST_POINTS = 3;

/**
 * A name that nobody has yet: The Lamplighter 2 after The Lamplighter.
 * @param {string} like
 * @param {string[]} taken
 */
export function suggestedName(like, taken) {
  const stem = like.replace(/ \d+$/, "");
  let number = 2;
  while (taken.includes(`${stem} ${number}`)) number += 1;
  return `${stem} ${number}`;
}

/**
 * Energy as signs with numbers: what is left of how much.
 * @param {{energy: import("../wire").Energy, max: import("../wire").Energy}} sheet
 */
export const energyLine = ({ energy, max }) =>
  h(
    "span",
    { class: "points", key: "points" },
    TYPES.map((type) =>
      h("span", { class: type, key: type }, sign(type, t(`${type}.letter`)), h("b", {}, energy[type]), h("i", {}, `/${max[type]}`))),
  );

/**
 * @param {Ui} ui
 * @param {[string, import("../wire").Sheet]} npc
 */
function npc(ui, [name, sheet]) {
  const left = Object.entries(specialsOf(sheet)).map(([id, ready]) => specialName(id) + (ready ? "" : ` (${t("gm.used")})`));
  const recover = ui.deeds.find((/** @type {Deed} */ { deed }) => deed.do === "recover" && deed.name === name);
  return fold(ui, `npc-${name}`, [h("b", {}, pretty(name)), energyLine(sheet)], () => [
    h("p", {}, t("gm.npc.level", { level: sheet.level }), sheet.dead ? `, ${t("state.dead")}` : ""),
    h("p", {}, list(movesOf(sheet).map((move) => choiceName("move", move)))),
    left.length > 0 && h("p", {}, t("specials.left", { specials: list(left) })),
    row(
      recover && tell(ui, t("gm.npc.recover"), recover.deed, { why: recover.reason }),
      press(ui, t("gm.npc.remove"), { command: "remove-character", name }, {
        place: `remove ${name}`,
        name: `${t("gm.npc.remove")}: ${pretty(name)}`,
      }),
    ),
  ]);
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {string[]} taken
 */
function likeForm(state, ui, taken) {
  /** @param {string} name */
  const mine = (name) => Number(name in ui.console.npcs);
  /** @type {string[]} */
  const templates = [...own(ui).templates].sort((a, b) => mine(b) - mine(a));
  if (!templates.length) return null;
  const like = form(ui, LIKE).like ?? templates[0];
  const suggested = suggestedName(like, taken);
  const name = (form(ui, NAME).name ?? suggested).trim();
  return h(
    "div",
    { class: "form", "data-enter": "", key: "like" },
    menu(ui, LIKE, "like", t("gm.npc.like"), templates.map((each) => [each, pretty(each)]), templates[0]),
    line(ui, NAME, "name", t("gm.npc.name"), { max: 64, first: suggested }),
    press(ui, t("gm.npc.add", { name: pretty(name) }), { command: "add-character", like, name }, {
      place: "add like",
      kind: "offer default",
      why: name ? "" : t("gm.npc.nameless"),
      after: NAME,
    }),
  );
}

/**
 * The sheet that is filled in, with the keys of a character file.
 * @param {Ui} ui
 */
function newSheet(ui) {
  const filled = form(ui, NEW);
  return {
    name: (filled.name ?? "").trim(),
    level: Number(filled.level ?? 1),
    energy: Object.fromEntries(TYPES.map((type) => [type, { max: Number(filled[type] ?? FIRST_POINTS) }])),
    moves: Object.fromEntries((filled.moves ?? []).map((/** @type {string} */ id) => [id, ""])),
    specials: Object.fromEntries((filled.specials ?? []).map((/** @type {string} */ id) => [id, {}])),
  };
}

/**
 * @param {State} state
 * @param {Ui} ui
 */
function newForm(state, ui) {
  const sheet = newSheet(ui);
  /**
   * @param {string} field
   * @param {string} value
   * @param {string} label
   */
  const tap = (field, value, label) =>
    turn(label, { form: NEW, field, value, toggle: "" }, { pressed: (form(ui, NEW)[field] ?? []).includes(value), kind: "quiet chip" });
  const moves = bookMoves(state, ui);
  const specials = bookSpecials(state, ui);
  let why = "";
  if (!sheet.name) why = t("gm.npc.nameless");
  else if (!Object.keys(sheet.moves).length) why = t("gm.npc.moveless");
  else if (!TYPES.some((type) => sheet.energy[type]?.max)) why = t("gm.barred.spent");
  return h(
    "div",
    { class: "form", "data-enter": "", key: "new" },
    line(ui, NEW, "name", t("gm.npc.name"), { max: 64 }),
    TYPES.map((type) => stepper(ui, NEW, type, t(type), { first: FIRST_POINTS })),
    stepper(ui, NEW, "level", t("gm.level"), { first: 1 }),
    h("h3", { key: "moves" }, t("hand.move")),
    row(moves.map((move) => tap("moves", move, choiceName("move", move)))),
    specials.length > 0 && fold(ui, "npc-specials", t("hand.special"), () => row(specials.map((id) => tap("specials", id, specialName(id))))),
    press(ui, t("gm.npc.make"), { command: "add-character", sheet }, {
      place: "add sheet",
      kind: "offer default",
      why,
      after: NEW,
    }),
  );
}

/**
 * Everybody whom the GM plays; null at a table without a story.
 * @param {State} state
 * @param {Ui} ui
 */
export function npcPanel(state, ui) {
  if (!state.story) return null;
  const npcs = /** @type {Array<[string, import("../wire").Sheet]>} */ (Object.entries(ui.console.npcs));
  const taken = [...Object.keys(ui.console.npcs), ...Object.keys(state.story.party)];
  return panel(
    "npcs",
    t("gm.npcs"),
    npcs.length ? npcs.map((each) => npc(ui, each)) : h("p", { class: "hint" }, t("gm.npcs.none")),
    fold(ui, "npc-add", t("gm.npc.new"), () => [likeForm(state, ui, taken), fold(ui, "npc-form", t("gm.npc.own"), () => newForm(state, ui))]),
  );
}
