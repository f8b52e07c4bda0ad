/** Between scenes: the result of the last one, or an introduction; the players; how to join. */

import { BETWEEN } from "#games";
import { writing } from "../../core/bench.js";
import { h } from "../../core/dom.js";
import { onStage } from "../../core/frame.js";
import { fetchStyle, redraw } from "../../core/later.js";
import { portrait } from "../../core/portrait.js";
import { prompt } from "../../core/prompt.js";
import { storyLine } from "../../core/story.js";
import { loadMore, pretty, t } from "../../core/texts.js";
import { farewell } from "./farewell.js";
import { fields, GENERIC } from "./generic.js";
import { pictures } from "./pictures.js";
import { rerun } from "./rerun.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Between} Between */

const MOST_IN_A_ROW = 13;
const MOST_RESULTS = 4;

/**
 * The evening's title, and the address for spectators.
 * @type {{evening: string, watch: string|null}}
 */
let about = { evening: "", watch: null };
/**
 * A family's view, with its sample turn.
 * @typedef {Between & {turn?: import("../../core/types").Rerun}} Face
 */
/** @type {Map<string, Face>} */
const faces = new Map();
/** A placeholder while a family's view loads: a temporary drawing would make the page jump. */
const COMING = { ...GENERIC, card: () => [] };

/** Counts address changes, so that the browser reloads the QR code. */
let turn = 0;

const ask = () => fetch("display/about.json").then((answer) => answer.json());

addEventListener("where", async () => {
  about = await ask().catch(() => about);
  turn += 1;
  redraw();
});

/** A sample turn, drawn as on the display. @type {import("../../core/types").Sample} */
const sample = (state, family) =>
  h("div", { class: "box", key: "box" }, h("div", { class: "frame moment", key: "frame" }, onStage(state, family)));

/** Load the styles, the texts, and the facts about the evening; return what draws with them. */
export async function prepare() {
  const told = ask();
  const [said] = await Promise.all([told, loadMore(".between"), fetchStyle("display"), fetchStyle("between")]);
  about = said;
  return between;
}

/**
 * A family's view between scenes.
 * @param {string|null|undefined} family
 * @returns {Face}
 */
function faceOf(family) {
  const fetched = BETWEEN[family ?? ""];
  if (!family || !fetched) return GENERIC;
  if (!faces.has(family)) {
    faces.set(family, COMING);
    fetched().then(
      async (found) => {
        if (found.sentences) await loadMore(found.sentences);
        faces.set(family, { ...GENERIC, ...found, turn: await found.rerun?.(sample) });
        redraw();
      },
      (error) => {
        console.error(error);
        faces.set(family, GENERIC);
        redraw();
      },
    );
  }
  return faces.get(family) ?? COMING;
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

/** Whether a player's seat has no character. @param {State} state */
const hasRoom = ({ seats }) => seats.some(({ seat, characters }) => seat !== "gm" && !characters.length);

/**
 * How to join; nothing if no spectator can connect and every seat is taken.
 * @param {State} state
 */
const doors = (state) =>
  (about.watch || hasRoom(state)) &&
  h(
    "section",
    { class: "doors", key: "doors", "aria-label": t("between.join") },
    about.watch && h("img", { src: `display/code.svg?n=${turn}`, alt: t("between.code"), width: 200, height: 200 }),
    h(
      "div",
      {},
      about.watch && h("p", {}, h("b", {}, t("between.watch"))),
      about.watch && h("p", { class: "address" }, about.watch),
      hasRoom(state) && h("p", {}, h("b", {}, t("between.play")), " ", t("between.play.how")),
    ),
  );

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
const outcome = (one, face) =>
  h(
    "li",
    { key: `scene-${one.scene}` },
    h("b", {}, one.title || one.stakes || t("between.scene", { number: one.scene })),
    h("span", {}, face.result(one) ?? GENERIC.result(one)),
  );

/**
 * Everything below the banners.
 * @param {State} state
 */
function between(state) {
  const { head, more } = prompt(state);
  const face = faceOf(state.ended_family ?? state.story_family);
  const own = faceOf(state.story_family ?? state.ended_family);
  const card = endCard(state, face);
  const evening = state.evening || about.evening;
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
      card ?? (own.turn ? rerun(own.turn) : own !== COMING && pictures()),
      !card && party(own.party(state)),
    ),
    aside.some(Boolean) && h("aside", { key: "aside" }, aside),
  );
}
