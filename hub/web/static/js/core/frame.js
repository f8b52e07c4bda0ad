/**
 * The frame of the display, the same for every family of rules: *head* (what is played, countdowns,
 * the timer), *stage* (the moment), *ring* (the people) and *foot* (what is next, and who). Its
 * layout follows its container: see `room.css`.
 */

import { backFace } from "./cards.js";
import { h } from "./dom.js";
import { game } from "./game.js";
import { hubLine } from "./players.js";
import { portrait } from "./portrait.js";
import { prompt } from "./prompt.js";
import { plug } from "./shapes.js";
import { short } from "./short.js";
import { storyLine } from "./story.js";
import { pretty, t } from "./texts.js";
import { timer } from "./timer.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Setting} Setting */
/** @typedef {import("./types").Part} Part */
/** @typedef {Pick<import("./types").Game, "prompt"|"verdict"|"setting">} Family */
/** @typedef {{said: string, lead?: string, why?: string, bad?: boolean, decided?: boolean, next: string}} Words */

/** Headlines with more letters than this are set smaller, so that two lines hold them. */
const LONG = 58;
/** Those that list sixteen people are cut after some lines: the ring shows who it is. */
const ENDLESS = 140;
/** More cards or rollers than these are laid in two rows or columns. */
const ROW = 4;
const COLUMN = 4;
/** More people than this stand in two rows. */
const RANK = 8;
const MOST = 16;
/** After this time without anything new on the stage, people come forward (s). */
export const REST_S = 20;
/** Headlines with fewer letters than this are set larger. */
const SHORT = 24;

/**
 * The words of the moment: the decision with its reason, or else the step; and what is next.
 * @param {State} state
 * @param {Pick<Family, "prompt"|"verdict">} [family] the family in play
 * @returns {Words}
 */
export function words(state, family = game()) {
  const decided = family.verdict(state);
  if (!decided) return step(state, family);
  const { head } = prompt(state, family);
  const goes = state.phase !== "locked" && head !== decided.said;
  return { ...decided, decided: true, next: goes ? head : "" };
}

/**
 * The words of the step, whatever has been decided.
 * @param {State} state
 * @param {Pick<Family, "prompt">} family
 * @returns {Words}
 */
function step(state, family) {
  const { head, more } = prompt(state, family);
  return { said: head, next: state.phase === "locked" ? t("log.head", { head: short(state.head) }) : more };
}

/** @param {Words} words */
function headline({ said, lead, why, bad, decided }) {
  const long = said.length > ENDLESS ? "endless" : said.length > LONG ? "long" : said.length < SHORT ? "brief" : "";
  return h(
    "div",
    { class: `says ${long} ${bad === undefined ? "" : bad ? "bad" : "good"}`, key: "says" },
    lead && h("p", { class: "lead", key: "lead" }, lead),
    h("h2", { key: said, class: decided ? "verdict" : "" }, said),
    why && h("p", { class: "why-so", key: "why" }, why),
  );
}

/** @param {State} state */
function head(state) {
  const { title, turns, note } = game().scene(state);
  const count = turns && state.turn_number ? t("turn", { number: state.turn_number }) : "";
  return h(
    "header",
    { class: "frame-head", key: "head" },
    h("h1", {}, title),
    storyLine(state),
    (count || note) && h("p", { class: "count", key: "count" }, count || note),
    timer(state),
  );
}

/**
 * One side: its name, its cards, and notes below them.
 * @param {import("./types").Side} side
 */
const sideView = ({ name, called, mark, cards, notes }) =>
  h(
    "section",
    { class: `side-of ${mark}`, key: name, "aria-label": called },
    h("h3", {}, called),
    h(
      "div",
      { class: "fan", key: "fan" },
      cards.map((card, at) => h("div", { class: "lay", key: card.key ?? `card-${at}` }, card)),
    ),
    h("div", { class: "notes", key: "notes" }, notes),
  );

/** @param {import("./types").Sides} pieces */
function sidesView({ sides, middle }) {
  const [first, ...rest] = sides.map(sideView);
  const count = Math.min(sides.length, MOST);
  const between = middle && h("div", { class: "middle", key: "middle" }, middle);
  const faces = sides.length === 2;
  const look = `sides sides-${count} of-${count} ${sides.length > ROW ? "many" : ""} ${sides.length > 2 * ROW ? "host" : ""}`;
  return h(
    "div",
    { class: "pieces", key: "pieces", "data-pieces": "" },
    !faces && between,
    h("div", { class: look, key: "sides" }, first, faces && between, rest),
  );
}

/** @param {import("./types").Roll} roll */
const rollView = ({ name, called, mark, dice, hard, said, notes }) =>
  h(
    "section",
    { class: `row-of-dice ${mark}`, key: name, "aria-label": called },
    h("h3", {}, portrait(name), " ", called),
    h("div", { class: "against", key: "against" }, h("b", { class: "hard", key: "hard" }, hard), dice),
    h("p", { class: "came", key: "came" }, ["won", "lost"].includes(mark) && h("b", { key: "said" }, said), notes),
  );

/** @param {import("./types").Rolls} pieces */
function rollsView({ about, rolls }) {
  const many = rolls.length > COLUMN;
  const rows = Math.min(COLUMN, many ? Math.ceil(rolls.length / 2) : rolls.length);
  return h(
    "div",
    { class: `rolls ${many ? "many" : ""} rolls-${rows}`, key: "pieces" },
    about && h("div", { class: "about", key: "about" }, about),
    h("div", { class: "pieces rows", key: "rows", "data-pieces": "" }, rolls.map(rollView)),
  );
}

/** A face-down card, or a dashed place for one that is awaited. @param {string} mark */
const waits = (mark) =>
  mark &&
  h(
    "span",
    { class: `waits-for ${mark}`, key: "mark", role: "img", "aria-label": t(`room.${mark}`) },
    mark === "sealed" && h("span", { class: "leaf", key: "leaf" }, backFace()),
  );

/**
 * @param {State} state
 * @param {import("./types").Person} person
 */
function personView(state, { name, mark, acts, gone, falls, left, more }) {
  const lost = state.seats.some((seat) => seat.reader === "lost" && seat.characters.includes(name));
  return h(
    "li",
    {
      class: `one-of ${mark} ${acts ? "acts" : ""} ${gone ? "away" : ""} ${falls ? "falls" : ""}`,
      key: name,
      "data-name": name,
    },
    portrait(name),
    h("b", { key: "name" }, pretty(name)),
    lost && h("span", { class: "lost", key: "lost", role: "img", "aria-label": t("reader.lost.short") }, plug),
    waits(mark),
    h("span", { class: "has", key: "has" }, gone && h("span", { class: "gone", key: "gone" }, gone), left),
    more && h("div", { class: "more-of", key: "more" }, more),
  );
}

/**
 * The people in equal places, side by side.
 * @param {State} state
 * @param {Pick<Setting, "ring"|"moment">} setting
 */
export function ring(state, { ring: groups, moment }) {
  const count = groups.reduce((all, { people }) => all + people.length, 0);
  return h(
    "section",
    {
      class: `frame-ring ${count > RANK ? "crowd-of" : ""} ${moment ? "" : "forward"}`,
      key: "ring",
      "aria-label": t("seats"),
    },
    groups.map(({ name, called, won, people }) =>
      h(
        "div",
        { class: `group ${won ? "won" : ""} of-${Math.min(people.length, MOST)}`, key: `group-${name}` },
        called && !moment && h("h3", { key: "called" }, called),
        h(
          "ul",
          { key: "people" },
          people.map((person) => personView(state, person)),
        ),
      ),
    ),
  );
}

/** @param {number} seconds */
const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** How long the table has been waiting. @param {number|null} seconds null if it does not */
export const since = (seconds) =>
  seconds === null
    ? null
    : h("span", { class: "since", key: "since", role: "timer", "aria-label": t("room.since") }, minutes(seconds));

/** A setting whose pieces have been cleared away. @param {Setting} setting @returns {Setting} */
const cleared = (setting) => ({ ...setting, moment: false, pieces: null });

/**
 * The stage: the words of the moment above its pieces.
 * @param {State} state
 * @param {Family} [family] the family in play
 * @param {Setting} [setting]
 * @param {Words} [said]
 */
export function onStage(state, family = game(), setting = family.setting(state), said = words(state, family)) {
  const { pieces, quiet } = setting;
  return h(
    "main",
    { class: "frame-stage", key: "stage", "aria-label": t("room.stage") },
    headline(said),
    pieces?.kind === "sides" && sidesView(pieces),
    pieces?.kind === "rolls" && rollsView(pieces),
    !pieces && quiet && h("div", { class: "quiet-of", key: "quiet" }, quiet),
  );
}

/**
 * The frame with everything in it.
 * @param {State} state
 * @param {{waited: number|null, tools: Part}} page how long the table has been waiting (s), and the
 *   page's own buttons
 */
export function frame(state, { waited, tools }) {
  const now = game().setting(state);
  const rested = now.rests && waited !== null && waited >= REST_S;
  const setting = rested ? cleared(now) : now;
  const said = words(state);
  const look = `${setting.moment ? "moment" : "calm"} ${setting.pieces ? "" : "bare"}`;
  return h(
    "div",
    { class: `frame ${look}`, key: "frame" },
    head(state),
    onStage(state, game(), setting, rested && said.next ? step(state, game()) : said),
    ring(state, setting),
    h(
      "footer",
      { class: "frame-foot", key: "foot" },
      h("p", { class: "next", key: "next" }, said.next),
      hubLine(state),
      since(waited),
      tools,
    ),
  );
}
