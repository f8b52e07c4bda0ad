/** The current moment in one sentence: for the stage and for screen readers. */

import { readiness } from "#core/generic.js";
import { knows, list, pretty, sentence, sideName, t } from "#core/texts.js";
import { choiceName, elementName, readChoice } from "./cards.js";
import { isConflict, isProblem, problemHead, problemWhy, vetoMore } from "./problem.js";

const MOST_NAMES = 5;

/**
 * The headline of the moment and a line below it, during a scene.
 * @param {import("#core/types.js").State} state
 */
export function prompt(state) {
  if (isProblem(state)) {
    return {
      head: problemHead(state),
      more: state.phase === "sealed" ? readiness(state) : state.step === "veto" ? vetoMore(state) : problemWhy(state),
    };
  }
  if (!isConflict(state)) return { head: "", more: "" };
  const { turn, result: ended } = state.game;
  const who = list(state.awaited);
  const names = { who: sentence(who), loser: pretty(turn?.loser ?? "") };
  switch (state.step) {
    case "first":
    case "opponent":
    case "kill":
    case "replace":
    case "verdict":
      return { head: t(state.step, names), more: t(`${state.step}.more`, names) };
    case "next": {
      const may = state.game.may_act;
      const places = { ...names, next: pretty(may[0] ?? "") };
      return may.length === 1
        ? { head: t("next.only", places), more: t("next.only.more", places) }
        : { head: t("next", names), more: mayGo(may) };
    }
    case "split":
      return split(state);
    case "over":
      return { head: overSaid(ended?.winner), more: ended ? t(`over.${ended.reason}`) : "" };
    default: {
      const head = knows(state.step) ? t(state.step, names) : t("other", { who });
      return { head, more: state.phase === "sealed" ? readiness(state) : "" };
    }
  }
}

/**
 * Those who could still step in for a loser: awaited, without a loss themselves.
 * @param {{awaited: string[], committed: string[], game: {turn?: {losses: object}|null}|null}} state
 */
export function guards({ awaited, committed, game }) {
  const losses = game?.turn?.losses ?? {};
  return awaited.filter((name) => !committed.includes(name) && !(name in losses));
}

/**
 * Who splits the loss, and who could still step in.
 * @param {import("./types").Conflict} state
 */
function split(state) {
  const { awaited, committed, game } = state;
  const losers = awaited.filter((name) => !committed.includes(name) && game.turn?.losses[name]);
  const others = guards(state);
  const could = others.length > 0 && t("split.guards", { names: list(others), count: others.length });
  if (!losers.length) return { head: could || t("split.more"), more: "" };
  return { head: t("split", { who: sentence(list(losers)), count: losers.length }), more: could || t("split.more") };
}

/**
 * Who may go next; only their number if there are many, because each of them is marked.
 * @param {string[]} names
 */
const mayGo = (names) =>
  names.length > MOST_NAMES ? t("next.marked", { number: names.length }) : t("next.more", { names: list(names) });

/**
 * The decisive part of a move: its action or its element; a move with its own name is named.
 * @param {string} move
 * @param {string} why
 */
function decisive(move, why) {
  const choice = readChoice("move", move);
  if (choice.type !== "move") return choiceName("move", move);
  return why === "action" ? t(choice.action ?? "") : elementName(choice.element ?? "");
}

/** Which side has won a conflict, if one has. @param {string|null} [winner] */
export const overSaid = (winner) => (winner ? sentence(t("over", { side: sideName(winner) })) : t("over.undecided"));

/** @typedef {{why?: string|null, moves: Record<string, string>|null, winner?: string|null, loser?: string|null}} Judged */

/** How a turn came out. @param {Judged} turn */
export function cameSaid({ why, winner }) {
  if (winner) return t("turn.won", { winner: pretty(winner) });
  return t(why === "surrender" ? "turn.surrendered" : "turn.tied");
}

/** Why it came out so; empty if both surrender. @param {Judged} turn */
export function whySaid({ why, moves, winner, loser }) {
  if (why === "surrender" && !winner) return "";
  const [winning, losing] = ["action", "element"].includes(why ?? "")
    ? [winner, loser].map((name) => decisive(moves?.[name ?? ""] ?? "", why ?? ""))
    : [];
  return t(`why.${why}`, { winning, losing, loser: pretty(loser ?? "") });
}

/** Both as a line; empty before the moves are shown. @param {Judged} turn */
export function verdict(turn) {
  if (!turn?.why || !turn.moves) return "";
  const [why, came] = [whySaid(turn), cameSaid(turn)];
  return why ? t("turn.told", { why, came }) : came;
}

/**
 * A reveal, for screen readers.
 * @param {import("#core/wire.js").TurnView} turn
 * @param {string} kind
 */
function revealAloud(turn, kind) {
  const shown = kind === "move" ? turn.moves : turn.stances;
  const cards = Object.entries(shown ?? {}).map(([name, value]) => `${pretty(name)}: ${choiceName(kind, value)}.`);
  const losses = Object.entries(turn.losses).map(
    ([name, loss]) => `${t("loss.total", { name: pretty(name), total: loss.total })}.`,
  );
  return kind === "move" ? [...cards, verdict(turn), ...losses].join(" ") : cards.join(" ");
}

/**
 * The part of a change that is read aloud: the revealed cards.
 * @param {import("#core/types.js").State} before
 * @param {import("#core/types.js").State} after
 */
export function aloud(before, after) {
  const then = before.game?.turn;
  const now = after.game?.turn;
  if (!now) return [];
  const same = then?.number === now.number;
  return [
    ...(now.stances && !(same && then.stances) ? [revealAloud(now, "stance")] : []),
    ...(now.moves && !(same && then.moves) ? [revealAloud(now, "move")] : []),
  ];
}

/**
 * The decision of a step, for a scene that was closed there; null for another family's step.
 * @param {string} step
 */
export const leftName = (step) => (knows(`between.at-step.${step}`) ? t(`between.at-step.${step}`) : null);
