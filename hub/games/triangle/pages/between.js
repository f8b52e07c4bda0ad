/** The triangle between scenes: what decided a conflict or a problem, and what it cost. */

import { h } from "#core/dom.js";
import { locked } from "#core/generic.js";
import { leftSaid } from "#core/left.js";
import { faceUpCard } from "#core/lying.js";
import { portrait } from "#core/portrait.js";
import { scoreOf } from "#core/score.js";
import { readState } from "#core/state.js";
import { pretty, t } from "#core/texts.js";
import { problemWhy, toldSaid } from "./problem.js";
import * as room from "./room.js";
import { leftName, overSaid, verdict } from "./say.js";
import { sign, TYPES } from "./shapes.js";
import { gone, sidesOf } from "./sides.js";

/** @typedef {import("#core/types.js").EndedView} EndedView */
/** @typedef {import("#core/types.js").PastSceneView} PastSceneView */
/** @typedef {import("./types").ConflictView} ConflictView */
/** @typedef {import("./types").ProblemView} ProblemView */
/** @typedef {import("#core/wire.js").TurnView} TurnView */

/**
 * @param {EndedView["game"]} game
 * @returns {game is ProblemView}
 */
const isProblem = (game) => "interested" in game;

/** The duration of each step before cards turn over, and of the loop (ms). */
const LAID_MS = 1600;
const AGAIN_MS = 16_000;

/**
 * A sample turn, played as on the display; both characters have translated names.
 * @param {import("#core/types.js").Sample} draw
 * @returns {Promise<import("#core/types.js").Rerun>}
 */
export async function rerun(draw) {
  const answer = await fetch(new URL("./rerun.json", import.meta.url));
  const names = Object.entries({ red: t("between.red"), blue: t("between.blue") });
  const text = names.reduce(
    (said, [name, word]) => said.replaceAll(`"${name}"`, JSON.stringify(word)),
    await answer.text(),
  );
  /** @type {{before: import("#core/types.js").StateFrame, after: import("#core/types.js").StateFrame}} */
  const { before, after } = JSON.parse(text);
  const sealed = before.awaited.map((_, nth) => ({
    state: { ...before, committed: before.awaited.slice(0, nth) },
    picture: 1,
  }));
  const laid = [...sealed, { state: locked(before), picture: 2 }];
  const played = scoreOf(room.beats(before, after)).beats.map(({ cue, state, at }) => ({
    state,
    at: laid.length * LAID_MS + at,
    picture: cue === "turn" ? 2 : 3,
  }));
  const steps = [
    ...laid.map((each, nth) => ({ ...each, at: nth * LAID_MS })),
    ...played,
    { state: after, at: Number(played.at(-1)?.at) + LAID_MS, picture: 3 },
  ];
  return {
    steps,
    lasts: AGAIN_MS,
    draw: (frame) => draw(readState(frame), room),
  };
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
