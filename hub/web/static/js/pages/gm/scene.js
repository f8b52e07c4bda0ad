// @ts-nocheck
/** Scenes: begun from the configured file or from the story, and ended. */

import { h } from "../../core/dom.js";
import { isProblem } from "../../games/triangle/problem.js";
import { pretty, t } from "../../core/texts.js";
import { barred, everybody } from "../../games/triangle/gm/cast.js";
import { choose, form, line, panel, press, row, turn } from "../../core/parts.js";

const SIDES = ["players", "others", "out"];
const FORM = "scene";

/** On which side of a conflict somebody is to stand: as it was tapped, else where it belongs. */
function sideOf(state, ui, name) {
  if (barred(ui, name)) return "out";
  return form(ui, FORM)[`side ${name}`] ?? (name in state.story.party ? "players" : "others");
}

const isOn = (ui, field) => form(ui, FORM)[field] === "yes";

/** The description of the scene that is filled in. */
export function request(state, ui) {
  const { players, others } = everybody(state, ui);
  const filled = form(ui, FORM);
  const words = (field) => (filled[field] ?? "").trim();
  const title = words("title") && { title: words("title") };
  if (filled.type === "problem") {
    const interested = players.filter((name) => filled[`interested ${name}`] !== "no");
    const all = interested.length === players.length;
    return { type: "problem", problem: words("problem"), ...title, interested: all ? [] : interested };
  }
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

function member(state, ui, name) {
  const why = barred(ui, name);
  const now = sideOf(state, ui, name);
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

const yes = (ui, field, label) =>
  turn(label, { form: FORM, field, value: isOn(ui, field) ? "no" : "yes" }, { pressed: isOn(ui, field), key: `yes-${field}` });

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

function problem(state, ui) {
  const { players } = everybody(state, ui);
  const cares = (name) => form(ui, FORM)[`interested ${name}`] !== "no";
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

function beginForm(state, ui) {
  const type = form(ui, FORM).type ?? "conflict";
  const prepared = press(ui, t("gm.scene.prepared"), { command: "start-scene" }, {
    place: "start prepared",
    kind: state.story ? "quiet" : "offer default",
    more: t("gm.scene.prepared.help"),
  });
  if (!state.story) return prepared;
  const kind = (name, label) => choose(ui, FORM, "type", name, label, { pressed: type === name });
  return h(
    "div",
    { class: "form", "data-enter": "", key: `begin-${type}` },
    h("div", { class: "switch", role: "group", "aria-label": t("gm.scene.kind") }, kind("conflict", t("conflict")), kind("problem", t("problem"))),
    type === "problem" ? problem(state, ui) : conflict(state, ui),
    prepared,
  );
}

/** The way to begin a scene, from where its form is not in sight. */
export const begin = (state, ui) =>
  state.story ? turn(t("gm.scene.begin"), { tab: "scene" }, { kind: "offer default", key: "to-scene" }) : beginForm(state, ui);

/** The button that ends the scene. */
export function endPress(state, ui) {
  const open = state.phase !== "over";
  const key = isProblem(state.game) ? "problem" : state.game?.minor ? "minor" : "conflict";
  return press(ui, t(`gm.end.${key}`), { command: "end-scene" }, {
    place: "end-scene",
    kind: open ? "quiet" : "offer default",
    more: open ? "" : t("gm.end.over"),
  });
}

/** The scene that is played, or one to begin. */
export function scenePanel(state, ui) {
  if (state.phase === "idle") return panel("scene", t("gm.scene.begin"), beginForm(state, ui));
  const { game } = state;
  const nature = game?.lethal ? "conflict.lethal" : game?.minor ? "conflict.minor" : isProblem(game) ? "problem" : "conflict";
  return panel(
    "scene",
    state.title || t(nature),
    h("p", { class: "hint" }, t(nature), state.turn_number && !isProblem(game) ? `, ${t("turn", { number: state.turn_number })}` : ""),
    game?.problem && h("p", {}, game.problem),
    state.story?.stakes && h("p", {}, t("stakes"), " ", state.story.stakes),
    row(endPress(state, ui)),
  );
}
