/** Between scenes: the result of the last one, or an introduction; the players; how to join. */

import { writing } from "../../core/bench.js";
import { h } from "../../core/dom.js";
import { fetchStyle } from "../../core/later.js";
import { portrait } from "../../core/portrait.js";
import { prompt } from "../../core/prompt.js";
import { storyLine } from "../../core/story.js";
import { pretty, t } from "../../core/texts.js";
import { hasRoom, lastFace, learn, nextFace, pastSaid, titleOf, watching } from "./evening.js";
import { farewell } from "./farewell.js";
import { fields } from "./generic.js";
import { rerun } from "./rerun.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Between} Between */

const MOST_IN_A_ROW = 13;
const MOST_RESULTS = 4;

/** Load all that it needs; return what draws with it. */
export async function prepare() {
  await Promise.all([learn(["stage"]), fetchStyle("display"), fetchStyle("between"), fetchStyle("door")]);
  return between;
}

/**
 * The result of the last scene.
 * @param {State} state
 * @param {Between} face
 */
function endCard(state, face) {
  const { ended } = state;
  if (!ended) return null;
  const { head, more } = face.head(ended);
  const card = face.card(ended) ?? fields(state);
  return h(
    "section",
    { class: "end-card", key: `end-${ended.scene}`, "aria-label": t("between.last") },
    (ended.title || ended.stakes) &&
      h(
        "p",
        { class: "eyebrow" },
        [ended.title, ended.stakes && `${t("stakes")} ${ended.stakes}`].filter(Boolean).join(" · "),
      ),
    h("h2", {}, head),
    more && h("p", { class: "more" }, more),
    card,
  );
}

/**
 * The characters.
 * @param {string[]} names
 */
const party = (names) =>
  names.length > 0 &&
  h(
    "ul",
    { class: "party", key: "party", "aria-label": t("between.party") },
    names.slice(0, MOST_IN_A_ROW).map((name) => h("li", { key: name }, portrait(name), h("span", {}, pretty(name)))),
  );

/**
 * How to join; nothing if no spectator can connect and every seat is taken.
 * @param {State} state
 */
function doors(state) {
  const watch = watching();
  if (!watch && !hasRoom(state)) return null;
  return h(
    "section",
    { class: "doors", key: "doors", "aria-label": t("between.join") },
    watch && h("img", { src: watch.code, alt: t("between.code"), width: 200, height: 200 }),
    h(
      "div",
      {},
      watch && h("p", {}, h("b", {}, t("between.watch"), ":")),
      watch && h("p", { class: "address" }, watch.address),
      hasRoom(state) && h("p", {}, h("b", {}, t("between.play")), " ", t("between.play.how")),
    ),
  );
}

/**
 * The results of earlier scenes, without the one shown in full.
 * @param {State} state
 * @param {Between} face
 */
function results({ results: past }, face) {
  const earlier = past.slice(1, MOST_RESULTS + 1);
  if (!earlier.length) return null;
  return h(
    "section",
    { class: "results", key: "results" },
    h("h3", {}, t("between.results")),
    h(
      "ol",
      {},
      earlier.map((one) => outcome(one, face)),
    ),
  );
}

/**
 * @param {State["results"][number]} one
 * @param {Between} face
 */
function outcome(one, face) {
  const { title, result } = pastSaid(one, face);
  return h("li", { key: `scene-${one.scene}` }, h("b", {}, title), h("span", {}, result));
}

/**
 * Everything below the banners.
 * @param {State} state
 */
function between(state) {
  const { head, more } = prompt(state);
  const [face, own] = [lastFace(state), nextFace(state)];
  const card = endCard(state, face);
  const evening = titleOf(state);
  if (state.evening_over) {
    return farewell({
      head,
      more,
      evening: evening || pretty(state.table),
      party: party(own.party(state)),
      results: [...state.results].reverse().map((one) => outcome(one, face)),
    });
  }
  const aside = [doors(state), results(state, face)];
  return h(
    "main",
    { class: `interval ${card ? "after" : "before"}`, key: "between" },
    h(
      "header",
      { class: "evening", key: "evening" },
      h(
        "div",
        {},
        evening && h("p", { class: "eyebrow" }, pretty(state.table)),
        h("h1", {}, evening || pretty(state.table)),
      ),
      h("div", { class: "now" }, h("h2", {}, head), h("p", {}, more)),
      storyLine(state),
      writing(state),
    ),
    h(
      "div",
      { class: "heart", key: "heart" },
      card ?? (own.shots.length > 0 && rerun(state, own.shots)),
      !card && party(own.party(state)),
    ),
    aside.some(Boolean) && h("aside", { key: "aside" }, aside),
  );
}
