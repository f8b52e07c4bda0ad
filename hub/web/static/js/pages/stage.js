// @ts-nocheck
/** The display as a whole: from a state to its elements. */

import { banners } from "../core/banners.js";
import { partLeft, secondsUntil } from "../core/clock.js";
import { h, s } from "../core/dom.js";
import { short } from "../core/short.js";
import { guide, problemGuide } from "../games/triangle/guide.js";
import { lostReaders, seatRow, side, sidesOf } from "../games/triangle/people.js";
import { prompt } from "../games/triangle/say.js";
import { isProblem, problemView } from "../games/triangle/problem.js";
import { mark } from "../games/triangle/shapes.js";
import { storyLine } from "../core/story.js";
import { pretty, t } from "../core/texts.js";
import { turnView } from "../games/triangle/turn.js";

const RING = 2 * Math.PI * 20;

/** The commit timer as a ring with its seconds; null when none runs. */
export function timer(state) {
  if (!state.timer) return null;
  const left = secondsUntil(state.timer.deadlineMs);
  const part = partLeft(state.timer.deadlineMs, state.timer.seconds);
  const circle = (name, dash) => s("circle", { class: name, cx: 24, cy: 24, r: 20, "stroke-dasharray": dash });
  const rings = [circle("track"), circle("left", `${RING * part} ${RING}`)];
  const ring = s("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, rings);
  const text = left ? t("timer", { seconds: left }) : t("timer.over");
  return h(
    "div",
    { class: `timer ${left <= state.timer.soon ? "soon" : ""}`, role: "timer", "aria-label": text, key: "timer" },
    ring,
    h("b", {}, left),
  );
}

/** The line above everything: the scene, the turn, the time. */
function top(state) {
  const { game } = state;
  const nature = game?.lethal ? "conflict.lethal" : game?.minor ? "conflict.minor" : "conflict";
  const kept = game?.turn?.kept && !game.result;
  const sort = game?.sides ? t(nature) : isProblem(game) ? t("problem") : "Facedown";
  const title = state.title || t(isProblem(game) ? "problem" : "conflict");
  return h(
    "header",
    { class: "top", key: "top" },
    h(
      "div",
      { class: "scene" },
      sort !== title && h("p", { class: "eyebrow" }, sort),
      h("h1", {}, title),
    ),
    h(
      "div",
      { class: "when" },
      !isProblem(game) && h("p", { class: "turn-number" }, state.turn_number ? t("turn", { number: state.turn_number }) : t("turn.none")),
      kept && h("p", { class: "kept" }, t("turn.kept")),
    ),
    timer(state),
    storyLine(state),
  );
}

/** The headline of the moment. */
function headline(state) {
  const { head, more } = prompt(state);
  return h(
    "div",
    { class: "headline", key: "headline" },
    h("h2", {}, head),
    more && h("p", {}, more),
    state?.phase === "locked" && h("div", { class: "roll", "aria-hidden": "true" }, h("span"), h("span"), h("span")),
    state?.phase === "locked" && h("p", { class: "log-head", key: "log" }, t("log.head", { head: short(state.head) })),
  );
}

/** What is shown before there is a scene, or a state. */
function curtain(state) {
  const { head, more } = prompt(state);
  return h(
    "main",
    { class: "curtain", key: "curtain" },
    mark(),
    h("p", { class: "eyebrow" }, state ? pretty(state.table) : "Facedown"),
    h("h1", {}, head),
    h("p", {}, more),
  );
}

function body(state) {
  if (isProblem(state.game)) {
    return h("main", { class: "simple", key: "simple" }, headline(state), problemView(state), problemGuide());
  }
  if (!state.game?.characters) {
    return h("main", { class: "simple", key: "simple" }, headline(state), seatRow(state));
  }
  const [first, second] = sidesOf(state.game);
  return h(
    "main",
    { class: "field", key: "field" },
    side(state, first, "left"),
    h(
      "section",
      { class: "stage", key: "stage", "aria-label": t("turn", { number: state.turn_number }) },
      headline(state),
      turnView(state),
    ),
    side(state, second, "right"),
    guide(state.game),
  );
}

/**
 * Everything on the display.
 * @param {{state: Object|null, status: string, notice: string}} shown
 */
export function display({ state, status, notice }) {
  const lost = status === "lost" || (status === "opening" && state);
  return h(
    "div",
    { class: `sheet ${lost ? "cut-off" : ""}` },
    banners(state, status),
    state?.game ? [top(state), body(state)] : [storyLine(state), curtain(state)],
    state && lostReaders(state),
    notice && h("p", { class: "notice", key: "notice", role: "status" }, notice),
  );
}

/** The same table, small, for those who play it on a page. */
export function miniature(state) {
  const [first, second] = sidesOf(state.game);
  return h(
    "section",
    { class: "mini", key: "mini", "aria-label": t("table.mini") },
    side(state, first, "left"),
    h("div", { class: "stage", key: "stage" }, timer(state), turnView(state)),
    side(state, second, "right"),
  );
}
