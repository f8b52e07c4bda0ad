/** The triangle between scenes: what decided a conflict or a problem, and what it cost. */

import { h } from "#core/dom.js";
import { locked } from "#core/generic.js";
import { leftSaid } from "#core/left.js";
import { faceUpCard } from "#core/lying.js";
import { portrait } from "#core/portrait.js";
import { scoreOf } from "#core/score.js";
import { around, words } from "#core/shots.js";
import { readState } from "#core/state.js";
import { pretty, t } from "#core/texts.js";
import { problemWhy, toldSaid } from "./problem.js";
import * as room from "./room.js";
import { leftName, overSaid, verdict } from "./say.js";
import { sign, TYPES } from "./shapes.js";
import { gone, sidesOf } from "./sides.js";

/** @typedef {import("#core/types.js").EndedView} EndedView */
/** @typedef {import("#core/types.js").Shot} Shot */
/** @typedef {import("#core/types.js").StateFrame} StateFrame */
/** @typedef {import("#core/types.js").PastSceneView} PastSceneView */
/** @typedef {import("./types").ConflictView} ConflictView */
/** @typedef {import("./types").ProblemView} ProblemView */
/** @typedef {import("#core/wire.js").TurnView} TurnView */

/**
 * @param {EndedView["game"]} game
 * @returns {game is ProblemView}
 */
const isProblem = (game) => "interested" in game;

/** How long each card takes to go down, and how long the end is shown (ms). */
const LAID_MS = 1200;
const END_MS = 3400;

/**
 * A sample turn, played by the rules; both characters have translated names.
 * @returns {Promise<Shot[]>}
 */
export async function shown() {
  const answer = await fetch(new URL("./rerun.json", import.meta.url));
  const names = Object.entries({ red: t("between.red"), blue: t("between.blue") });
  const text = names.reduce(
    (said, [name, word]) => said.replaceAll(`"${name}"`, JSON.stringify(word)),
    await answer.text(),
  );
  /** @type {{before: StateFrame, after: StateFrame}} */
  const { before, after } = JSON.parse(text);
  const { said } = room.verdict(readState(after)) ?? { said: "" };
  const won = { beat: /** @type {const} */ (3), said: said.replace(/\.$/, ""), more: t("between.picture.won") };
  const laid = [0, 1, 2].map((count) => ({
    ...words(1),
    lasts: count < 2 ? LAID_MS : 2 * LAID_MS,
    pieces: () => moves(count < 2 ? { ...before, committed: before.awaited.slice(0, count) } : locked(before)),
  }));
  const { beats } = scoreOf(room.beats(before, after));
  const turned = beats.findLastIndex(({ cue }) => cue === "turn");
  const played = beats.map(({ cue, state, at }, nth) => ({
    ...(cue === "turn" ? words(2) : won),
    lasts: nth === turned ? END_MS : (beats[nth + 1]?.at ?? at + LAID_MS) - at,
    pieces: () => moves(state),
  }));
  return [...laid, ...played, { ...won, lasts: END_MS, pieces: () => moves(after) }];
}

/**
 * The moves of the sample turn, each by the sign of its player.
 * @param {StateFrame} frame
 */
function moves(frame) {
  const { sides, middle } = /** @type {import("#core/types.js").Sides} */ (room.setting(readState(frame)).pieces);
  const people = sides.map(({ name, called, mark, cards }, at) => ({
    name: at ? "blue" : "red",
    called: called || name,
    mark: mark === "acts" ? /** @type {const} */ ("") : mark,
    up: cards[cards.length - 1],
  }));
  return around(people, undefined, frame.game?.turn?.outcome ? middle : []);
}

/** @param {import("#core/types.js").State} state */
export function party({ story, seats }) {
  const people = Object.entries(story?.party ?? {});
  if (!people.length) return seats.flatMap(({ characters }) => characters);
  return people.filter(([, { dead }]) => !dead).map(([name]) => name);
}

/** @param {EndedView} ended */
export function head({ game: played, over, left }) {
  const game = /** @type {ConflictView | ProblemView} */ (played);
  if (!over || !game.result)
    return { head: t("between.broken-off"), more: leftSaid(left, left && leftName(left.step)) };
  if (isProblem(game)) return { head: toldSaid(game.result), more: problemWhy({ game }) };
  const { winner, reason } = game.result;
  return { head: overSaid(winner), more: t(`over.${reason}`) };
}

/** @param {PastSceneView} past */
export function result({ came, over }) {
  const last = came.at(-1);
  if (!over || !last) return null;
  if (last.what === "conflict-over") return overSaid(last.winner ? String(last.winner) : null);
  if (last.what === "problem-over") return toldSaid({ success: Boolean(last.success), decider: String(last.decider) });
  return null;
}

/**
 * The cards of the turn that decided it, or of the problem.
 * @param {EndedView} ended
 * @param {import("#core/types.js").State} state
 */
export const last = ({ game }, state) => room.setting({ ...state, game, step: "over" }).pieces;

/** @param {EndedView} ended */
export const card = ({ began, game, over }) => {
  if (isProblem(game)) return [numbers(game), spent(game)];
  const conflict = /** @type {ConflictView} */ (game);
  return conflict.turn !== null && [deciding(conflict, over), cost(/** @type {ConflictView} */ (began), conflict)];
};

/**
 * The turn that decided it.
 * @param {ConflictView} game
 * @param {boolean} over
 */
function deciding({ turn }, over) {
  if (!turn?.outcome || !turn.opponent) return null;
  const [first, second] = turn.winner === turn.opponent ? [turn.opponent, turn.active] : [turn.active, turn.opponent];
  const losses = Object.entries(turn.losses).filter(([, { total }]) => total);
  return h(
    "section",
    { class: "deciding", key: "deciding" },
    h("h3", {}, t(over ? "between.deciding" : "between.last-turn", { number: turn.number })),
    h(
      "div",
      { class: "duo" },
      fighter(turn, first),
      h("span", { class: "over", "aria-hidden": "true" }, turn.winner ? "\u203a" : "="),
      fighter(turn, second),
    ),
    h("p", { class: "why" }, verdict(turn)),
    losses.map(([name, { total }]) =>
      h("p", { class: "loss", key: `loss-${name}` }, t("loss.total", { name: pretty(name), total })),
    ),
  );
}

/**
 * @param {TurnView} turn
 * @param {string} name
 */
function fighter({ moves, stances, winner }, name) {
  const [move, stance] = [moves?.[name], stances?.[name]];
  return h(
    "figure",
    { class: winner === name ? "winner" : "", key: name },
    h(
      "div",
      { class: "laid" },
      stance && stance !== "none" && faceUpCard("stance", stance),
      move && faceUpCard("move", move),
    ),
    h("figcaption", {}, portrait(name), h("b", {}, pretty(name))),
  );
}

/**
 * Each character's losses, and who is out.
 * @param {ConflictView} began
 * @param {ConflictView} game
 */
function cost(began, game) {
  const names = sidesOf(game).flatMap((side) => game.sides[side] ?? []);
  return h(
    "section",
    { class: "cost", key: "cost" },
    h("h3", {}, t("between.cost")),
    h(
      "ul",
      {},
      names.map((name) => bill(name, began, game)),
    ),
  );
}

/**
 * @param {string} name
 * @param {ConflictView} began
 * @param {ConflictView} game
 */
function bill(name, began, game) {
  const now = game.characters[name];
  const then = began.characters[name];
  const lost = TYPES.map((type) => /** @type {const} */ ([type, (then?.energy[type] ?? 0) - now.energy[type]])).filter(
    ([, points]) => points > 0,
  );
  const away = gone(now);
  return h(
    "li",
    { key: name, class: away ? "away" : "" },
    portrait(name),
    h("b", {}, pretty(name)),
    away && h("em", {}, away),
    lost.length
      ? h(
          "span",
          { class: "lost" },
          lost.map(([type, points]) =>
            h(
              "span",
              { class: `bit ${type}`, role: "img", "aria-label": t("between.lost", { type: t(type), points }) },
              sign(type, t(`${type}.letter`)),
              h("b", {}, `\u2212${points}`),
            ),
          ),
        )
      : !away && h("span", { class: "nothing-lost" }, t("between.unharmed")),
  );
}

/**
 * The numbers that were shown.
 * @param {ProblemView} game
 */
function numbers({ problem, interested, options, decider }) {
  return h(
    "section",
    { class: "deciding numbers", key: "deciding" },
    problem && h("p", { class: "why" }, problem),
    options &&
      h(
        "div",
        { class: "duo" },
        interested.map((name) =>
          h(
            "figure",
            { class: decider === name ? "winner" : "", key: name },
            options[name] && h("div", { class: "laid" }, faceUpCard("option", String(options[name]))),
            h("figcaption", {}, portrait(name), h("b", {}, pretty(name))),
          ),
        ),
      ),
  );
}

/**
 * The resources spent on it; null if there are none.
 * @param {ProblemView} game
 */
function spent({ result }) {
  const bills = Object.entries(result?.changes ?? {}).flatMap(([name, { background, belief, flaw, veto }]) => {
    const used = [
      background && pretty(background),
      belief && t("between.belief"),
      flaw && t("between.flaw"),
      veto && t("between.veto"),
    ].filter(Boolean);
    return used.length
      ? [
          h(
            "li",
            { key: name },
            portrait(name),
            h("b", {}, pretty(name)),
            h("span", { class: "lost" }, used.join(", ")),
          ),
        ]
      : [];
  });
  return bills.length
    ? h("section", { class: "cost", key: "cost" }, h("h3", {}, t("between.cost")), h("ul", {}, bills))
    : null;
}
