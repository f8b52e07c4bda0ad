/** The scenes that a story asks for: a conflict between two sides, or a problem. */

import { choose, form, line, press, row, turn } from "../../../core/parts.js";
import { h } from "../../../core/dom.js";
import { pretty, t } from "../../../core/texts.js";
import { isProblem } from "../problem.js";
import { barred, everybody, party } from "./cast.js";

/** @typedef {import("../../../core/types").State} State */
/** @typedef {import("../../../core/types").Ui} Ui */
/** @typedef {import("../../../core/types").Deed} Deed */

const SIDES = ["players", "others", "out"];
const FORM = "scene";

/**
 * On which side of a conflict somebody is to stand: as it was tapped, else where it belongs.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
function sideOf(state, ui, name) {
  if (barred(ui, name)) return "out";
  return form(ui, FORM)[`side ${name}`] ?? (name in party(state) ? "players" : "others");
}

/**
 * @param {Ui} ui
 * @param {string} field
 */
const isOn = (ui, field) => form(ui, FORM)[field] === "yes";

/**
 * The description of the scene that is filled in.
 * @param {State} state
 * @param {Ui} ui
 */
export function request(state, ui) {
  const { players, others } = everybody(state, ui);
  const filled = form(ui, FORM);
  /** @param {string} field */
  const words = (field) => (filled[field] ?? "").trim();
  const title = words("title") && { title: words("title") };
  if (filled.type === "problem") {
    const interested = players.filter((name) => filled[`interested ${name}`] !== "no");
    const all = interested.length === players.length;
    return { type: "problem", problem: words("problem"), ...title, interested: all ? [] : interested };
  }
  /** @param {string} side */
  const on = (side) => [...players, ...others].filter((name) => sideOf(state, ui, name) === side);
  return {
    type: "conflict",
    sides: { players: on("players"), others: on("others") },
    lethal: isOn(ui, "lethal"),
    minor: isOn(ui, "minor"),
    stakes: words("stakes"),
    ...title,
  };
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
function member(state, ui, name) {
  const why = barred(ui, name);
  const now = sideOf(state, ui, name);
  /** @param {string} side */
  const to = (side) =>
    turn(t(`gm.side.${side}`), { form: FORM, field: `side ${name}`, value: side }, {
      pressed: now === side,
      name: t("gm.side.of", { name: pretty(name), side: t(`gm.side.${side}`) }),
    });
  return h(
    "li",
    { class: `member ${now}`, key: `member-${name}` },
    h("b", {}, pretty(name)),
    why ? h("small", {}, t(why)) : h("span", { class: "switch", role: "group", "aria-label": pretty(name) }, SIDES.map(to)),
  );
}

/**
 * @param {Ui} ui
 * @param {string} field
 * @param {string} label
 */
const yes = (ui, field, label) =>
  turn(label, { form: FORM, field, value: isOn(ui, field) ? "no" : "yes" }, { pressed: isOn(ui, field), key: `yes-${field}` });

/**
 * @param {State} state
 * @param {Ui} ui
 */
function conflict(state, ui) {
  const { players, others } = everybody(state, ui);
  const { sides } = request(state, ui);
  const empty = !sides.players.length || !sides.others.length;
  return [
    h("ul", { class: "members", key: "members" }, [...players, ...others].map((name) => member(state, ui, name))),
    row(yes(ui, "lethal", t("gm.scene.lethal")), yes(ui, "minor", t("gm.scene.minor"))),
    line(ui, FORM, "stakes", t("gm.stakes"), { max: 300 }),
    line(ui, FORM, "title", t("gm.title"), { max: 80 }),
    press(ui, t("gm.scene.conflict"), { command: "start-scene", scene: request(state, ui) }, {
      place: "start conflict",
      kind: "offer default",
      why: empty ? t("gm.side.empty") : "",
      after: FORM,
    }),
  ];
}

/**
 * @param {State} state
 * @param {Ui} ui
 */
function problem(state, ui) {
  const { players } = everybody(state, ui);
  /** @param {string} name */
  const cares = (name) => form(ui, FORM)[`interested ${name}`] !== "no";
  /** @param {string} name */
  const who = (name) =>
    turn(pretty(name), { form: FORM, field: `interested ${name}`, value: cares(name) ? "no" : "yes" }, {
      pressed: cares(name),
      key: `interested-${name}`,
    });
  return [
    line(ui, FORM, "problem", t("gm.problem.words"), { max: 300 }),
    h("p", { class: "hint", key: "who" }, t("gm.problem.who")),
    row(players.map(who)),
    line(ui, FORM, "title", t("gm.title"), { max: 80 }),
    press(ui, t("gm.scene.problem"), { command: "start-scene", scene: request(state, ui) }, {
      place: "start problem",
      kind: "offer default",
      why: players.some(cares) ? "" : t("gm.problem.nobody"),
      after: FORM,
    }),
  ];
}

/**
 * The form by which a scene begins; `prepared` begins the one that the configuration names.
 * @param {State} state
 * @param {Ui} ui
 * @param {import("../../../core/types").Drawn} prepared
 */
export function begin(state, ui, prepared) {
  const type = form(ui, FORM).type ?? "conflict";
  /**
   * @param {string} name
   * @param {string} label
   */
  const kind = (name, label) => choose(ui, FORM, "type", name, label, { pressed: type === name });
  return h(
    "div",
    { class: "form", "data-enter": "", key: `begin-${type}` },
    h("div", { class: "switch", role: "group", "aria-label": t("gm.scene.kind") }, kind("conflict", t("conflict")), kind("problem", t("problem"))),
    type === "problem" ? problem(state, ui) : conflict(state, ui),
    prepared,
  );
}

/**
 * The button that ends the scene.
 * @param {State} state
 */
export const endName = (state) => t(`gm.end.${isProblem(state) ? "problem" : state.game?.minor ? "minor" : "conflict"}`);
