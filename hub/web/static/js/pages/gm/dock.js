/**
 * Buttons needed at any time: the tabs, pause, undo, overrule. A wide screen shows all of them; on a
 * phone they are one row at the bottom edge, and the rarer ones open from its last button.
 */

import { h, s } from "../../core/dom.js";
import { press, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";
import { directed } from "./directed.js";
import { sealRow } from "./hand.js";
import { endPress } from "./scene.js";
import { saidOf, undoSheet } from "./undo.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * Whether there is something to pause, undo or overrule: between scenes only in a story.
 * @param {State|null} state
 * @returns {state is State}
 */
const isNeeded = (state) => state !== null && (state.phase !== "idle" || state.story !== null);

/**
 * @param {State} state
 * @param {Ui} ui
 */
function flow({ phase }, ui) {
  if (["idle", "over"].includes(phase)) return null;
  const paused = phase === "paused";
  const command = paused ? "resume" : "pause";
  return press(ui, t(`command.${command}`), { command }, { place: "pause", kind: paused ? "offer default" : "quiet" });
}

/**
 * @param {State} state
 * @param {Ui} ui
 */
const overrule = (state, ui) =>
  !directed(state, ui) && turn(t("gm.overrule.open"), { sheet: "overrule" }, { key: "overrule-open" });

/**
 * @param {State} state
 * @param {Ui} ui
 */
const end = (state, ui) => state.phase === "over" && !directed(state, ui) && endPress(state, ui);

/**
 * All of these buttons, for a wide screen.
 * @param {State|null} state
 * @param {Ui} ui
 */
export function quick(state, ui) {
  if (!isNeeded(state)) return null;
  const why = ui.console.undo.length ? "" : t("gm.undo.nothing");
  return h(
    "div",
    { class: "quick", key: "quick", role: "group", "aria-label": t("gm.quick") },
    flow(state, ui),
    turn(t("gm.undo"), { sheet: "undo" }, { key: "undo-open", why, hush: true }),
    overrule(state, ui),
    end(state, ui),
  );
}

/**
 * On a phone, the button that the paused or finished scene waits for.
 * @param {State} state
 * @param {Ui} ui
 */
export function nextStep(state, ui) {
  const next = state.phase === "paused" ? flow(state, ui) : end(state, ui);
  return next && h("div", { class: "row next-step", key: "next-step" }, next);
}

/**
 * The sheet of undos; on a phone it also has the other buttons needed at any time.
 * @param {State} state
 * @param {Ui} ui
 */
export const moreSheet = (state, ui) => [
  !ui.wide &&
    h(
      "div",
      { class: "row any-time", key: "any-time", role: "group", "aria-label": t("gm.quick") },
      flow(state, ui),
      overrule(state, ui),
    ),
  ...undoSheet(state, ui),
];

const dots = () =>
  s(
    "svg",
    { class: "dots", viewBox: "0 0 24 8", "aria-hidden": "true" },
    [4, 12, 20].map((cx) => s("circle", { cx, cy: 4, r: 2.4, key: `dot-${cx}` })),
  );

/**
 * The latest action and, beside it, its undo button. The element stays when empty, so that those
 * after it keep the focus.
 * @param {Ui} ui
 * @param {boolean} [hides] whether something else has to be read first
 */
export const justDone = (ui, hides = false) =>
  h("div", { class: "just-done", key: "just-done" }, hides ? null : wayBack(ui));

/** @param {Ui} ui */
function wayBack(ui) {
  /** @type {import("../../core/types").WayBack|undefined} */
  const way = ui.console.undo.find(
    (/** @type {import("../../core/types").WayBack} */ { what, to_seq: seq }) =>
      what !== "play" && seq >= ui.done?.since && seq < ui.done.seq,
  );
  if (!way) return null;
  const said = saidOf(ui, way).join(" ");
  const undo = t("gm.undo.this");
  return [
    h("p", { class: "done", key: "done" }, said),
    press(
      ui,
      undo,
      { command: "undo", ...way },
      { place: "undo this", kind: "quiet way-back", name: `${undo}: ${said}` },
    ),
  ];
}

/**
 * The tabs.
 * @param {Ui} ui
 * @param {string} here the one that is shown
 * @param {string[]} names the available ones
 */
export function tabBar(ui, here, names) {
  /** @param {string} name */
  const tab = (name) => {
    const asks =
      ui.console.wishes.length > 0 || ui.questions.some(({ offers }) => offers.some((offer) => offer.default));
    const calls = name === "now" && name !== here && asks;
    const dot = calls && h("span", { class: "calls" }, h("span", { class: "unseen" }, t("gm.tab.calls")));
    return turn([t(`gm.tab.${name}`), dot], { tab: name }, { kind: "tab", key: name, current: name === here });
  };
  return h("nav", { class: "tabs", key: "tabs", "aria-label": t("gm.tabs") }, names.map(tab));
}

/**
 * The bottom edge of a phone: one row of buttons. Above it is the outcome of the latest press, or
 * the latest action with its undo button. While a card is picked, the row seals it.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {{text: string, bad: boolean}} told the outcome of the latest press
 * @param {string} here the tab that is shown
 * @param {string[]} names the available tabs
 */
export function dock(state, ui, { text, bad }, here, names) {
  const done = justDone(ui, bad);
  const replaced = done.children.length > 0;
  return h(
    "footer",
    { class: "gm dock narrow", key: "dock" },
    h("p", { class: `outcome ${bad ? "bad" : ""} ${replaced ? "unseen" : ""}`, role: "status", key: "outcome" }, text),
    done,
    sealRow(state, ui) ||
      h(
        "div",
        { class: "bar", key: "bar" },
        tabBar(ui, here, names),
        isNeeded(state) &&
          h(
            "div",
            { class: "quick", key: "quick" },
            turn(dots(), { sheet: "undo" }, { key: "undo-open", name: t("gm.quick.open") }),
          ),
      ),
  );
}
