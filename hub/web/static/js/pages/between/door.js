/**
 * The door to the room: while nothing is played, pictures in a loop tell passers-by what the table
 * does, what it showed last, who plays next, and how to join.
 */

import { writing } from "../../core/bench.js";
import { h } from "../../core/dom.js";
import { ring } from "../../core/frame.js";
import { fetchStyle } from "../../core/later.js";
import { prompt } from "../../core/prompt.js";
import { storyLine } from "../../core/story.js";
import { pretty, t } from "../../core/texts.js";
import { hasRoom, lastFace, learn, nextFace, pastSaid, titleOf, watching } from "./evening.js";
import { looped } from "./loop.js";
import { staged } from "./rerun.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Part} Part */
/** @typedef {import("../../core/types").Setting} Setting */
/**
 * A picture of the loop: its name, its duration (ms), its words, and what is drawn below them.
 * @typedef {{name: string, lasts: number, said: string, lead?: string, why?: string,
 *   pieces?: () => Setting["pieces"], quiet?: () => Part, people?: boolean}} Picture
 */

const LAST_MS = 7000;
const REST_MS = 4500;
/** How long the end of a scene or of the evening is shown before the loop begins. */
const HOLD_MS = 20_000;
const MOST_RESULTS = 3;
const MOST_PEOPLE = 16;

/** What has come to its end, and when this page first showed it. */
let end = { of: "", at: 0 };

/** Load all that it needs; return what draws with it. */
export async function prepare() {
  await Promise.all([learn(["room"]), fetchStyle("door")]);
  return door;
}

/** The first sentence: there is more on the near display. @param {string} text */
const first = (text) => text.split(/(?<=[.?!]) /)[0];

/** The last scene's last cards and its outcome. @param {State} state @returns {Picture[]} */
function last(state) {
  const { ended } = state;
  if (!ended) return [];
  const face = lastFace(state);
  const { head, more } = face.head(ended);
  const lead = ended.title || t("between.last");
  return [{ name: "last", lasts: LAST_MS, lead, said: head, why: first(more), pieces: () => face.last(ended, state) }];
}

/**
 * The outcomes of earlier scenes.
 * @param {State} state
 * @param {string} lead
 * @param {State["results"]} results
 * @returns {Picture[]}
 */
function earlier(state, lead, results) {
  const face = lastFace(state);
  const rows = results.slice(0, MOST_RESULTS).map((one) => pastSaid(one, face));
  if (!rows.length) return [];
  const quiet = () =>
    h(
      "ol",
      { class: "results-of", key: "results" },
      rows.map(({ title, result }, at) => h("li", { key: `${at}` }, h("b", {}, title), " ", h("span", {}, result))),
    );
  return [{ name: "earlier", lasts: REST_MS, said: lead, quiet }];
}

/** Who plays, and what is next. @param {State} state @returns {Picture[]} */
function people(state) {
  const { head, more } = prompt(state);
  const some = nextFace(state).party(state).length > 0;
  const goes = state.phase === "idle" && !state.evening_over && some;
  const words = goes ? { said: t("between.next"), why: t("between.next.more") } : { said: head, why: more };
  return [{ name: "people", lasts: REST_MS, ...words, people: some }];
}

/** How to join or to watch. @param {State} state @returns {Picture[]} */
function join(state) {
  const watch = watching();
  const free = hasRoom(state);
  if (!watch && !free) return [];
  if (!watch) return [{ name: "join", lasts: REST_MS, said: t("between.play"), why: t("between.play.how") }];
  const quiet = () => [
    h("img", { class: "code", key: "code", src: watch.code, alt: t("between.code") }),
    h("p", { class: "address", key: "address" }, watch.address),
  ];
  const said = t("between.watch");
  const why = free ? `${t("between.play")} ${t("between.play.how")}` : "";
  return [{ name: "join", lasts: REST_MS, said, why, quiet }];
}

/** @param {State} state @returns {Picture[]} */
function pictures(state) {
  const shots = nextFace(state).shots.map(({ beat, lasts, said, more, pieces }) => ({
    name: `beat-${beat}`,
    lasts,
    lead: t("between.pictures"),
    said,
    why: more,
    pieces,
  }));
  if (state.evening_over)
    return [...people(state), ...earlier(state, t("between.scenes"), state.results), ...shots, ...join(state)];
  const before = state.results.slice(state.ended ? 1 : 0);
  return [...last(state), ...earlier(state, t("between.results"), before), ...shots, ...people(state), ...join(state)];
}

/**
 * The picture of this moment. The end of a scene stays for a while before the loop begins.
 * @param {State} state
 * @param {Picture[]} all
 */
function now(state, all) {
  const of = state.evening_over ? "evening" : `${state.ended?.scene ?? ""}`;
  if (of !== end.of) end = { of, at: performance.now() };
  return looped(all, of ? end.at + HOLD_MS - all[0].lasts : 0);
}

/**
 * The frame with the picture of this moment.
 * @param {State} state
 * @param {Part} tools buttons of the page
 */
function door(state, tools) {
  const all = pictures(state);
  const { name, said, lead, why, pieces, quiet, people: forward } = now(state, all);
  const names = nextFace(state).party(state).slice(0, MOST_PEOPLE);
  const one = (/** @type {string} */ who) => ({
    name: who,
    mark: /** @type {const} */ (""),
    acts: false,
    gone: "",
    left: null,
    more: null,
  });
  const group = { name: "party", called: "", won: false, people: names.map(one) };
  return h(
    "div",
    { class: `frame door ${forward ? "calm bare" : "moment"} ${name}`, key: "door" },
    h(
      "header",
      { class: "frame-head", key: "head" },
      h("h1", {}, titleOf(state) || pretty(state.table)),
      forward && storyLine(state),
    ),
    staged(state, { said, lead, why }, pieces?.() ?? null, quiet?.()),
    forward && ring(state, { ring: [group], moment: false }),
    h(
      "footer",
      { class: "frame-foot", key: "foot" },
      h(
        "p",
        { class: "next", key: "next" },
        state.phase === "idle" && !state.evening_over ? t("between.what") : prompt(state).head,
      ),
      writing(state),
      h(
        "ol",
        { class: "places", key: "places", "aria-hidden": "true" },
        [...new Set(all.map((each) => each.name))].map((each) =>
          h("li", { class: each === name ? "now" : "", key: each }),
        ),
      ),
      tools,
    ),
  );
}
