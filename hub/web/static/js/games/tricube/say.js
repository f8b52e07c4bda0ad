/** What the table waits for in a scene of a tale, and how a roll came out, in words. */

import { anyOf, readiness } from "../../core/generic.js";
import { inRow } from "../../core/grammar.js";
import { knows, pretty, sentence, t } from "../../core/texts.js";

/** @typedef {import("./types").Tale} Tale */
/** @typedef {import("./types").RollView} RollView */

/** In these nothing of a roll may change any more but what follows from it. */
const SETTLING = ["scene", "regain", "price", "fate", "victor", "over"];

/** Whom it waits for. @param {Tale} state */
function waiting(state) {
  const left = state.awaited.filter((who) => !state.committed.includes(who));
  return sentence(anyOf(state, left.length ? left : state.awaited));
}

/**
 * @param {Tale} state
 * @returns {import("../../core/types").Prompt}
 */
export function prompt(state) {
  const { game, step, phase } = state;
  if (phase === "over" || step === "over") return { head: t("tricube.stage.over"), more: "" };
  const { rolling, asked } = game;
  const now = rolling?.now ?? "";
  const places = { who: waiting(state), roller: pretty(now), asker: pretty(asked?.who ?? ""), challenge: rolling?.challenge ?? "", affliction: asked?.affliction ?? "" };
  if (step === "approach") {
    const head = t(rolling?.challenge ? "tricube.stage.approach" : "tricube.stage.approach.opposed", places);
    return { head, more: phase === "locked" ? "" : readiness(state) };
  }
  if (step === "accept") return { head: t("tricube.stage.accept", places), more: asked?.told || asked?.complication || "" };
  const key = `tricube.stage.${step}`;
  return { head: t(knows(key) ? key : "other", places), more: knows(`${key}.more`) ? t(`${key}.more`, places) : "" };
}

/** How a roll came out, in a word or two. @param {RollView} roll */
export const outcomeSaid = ({ outcome, moot }) => (moot ? t("tricube.stage.moot") : outcome ? t(`tricube.stage.outcome.${outcome}`) : "");

/** What it has cost and brought. @param {RollView} roll */
export function followsSaid({ removed, gain, price, karma, defeated }) {
  return [
    karma && t(karma.paid ? "tricube.stage.karma-paid" : "tricube.stage.karma-instead", { by: pretty(karma.by), perks: inRow([...karma.perks]), text: karma.complication ?? "" }),
    removed > 0 && t("tricube.stage.removed", { count: removed, number: removed }),
    gain && gain.amount > 0 && t(`tricube.stage.gain.${gain.what}`),
    price && price.resolve > 0 && t("tricube.stage.lost", { count: price.resolve, number: price.resolve }),
    price?.complication && t("tricube.stage.complication", { text: price.complication }),
    defeated && t("tricube.stage.defeated"),
  ].filter((each) => typeof each === "string");
}

/**
 * How what was rolled came out, until something else is called for.
 * @param {Tale} state
 * @returns {import("../../core/types").Verdict|null}
 */
export function verdict(state) {
  if (!SETTLING.includes(state.step) || state.phase === "locked") return null;
  const { rolling, last_rolling: last } = state.game;
  const rolled = rolling ?? last;
  if (!rolled) return null;
  if (rolled.winner) return { lead: pretty(rolled.winner), said: t("tricube.stage.wins"), why: rolled.order.map((who) => lineOf(who, rolled.rolls[who])).join(" ") };
  const names = rolled.order.filter((who) => rolled.rolls[who]?.outcome || rolled.rolls[who]?.moot);
  const [first] = names;
  const one = first === undefined ? undefined : rolled.rolls[first];
  if (!one || first === undefined) return null;
  if (names.length === 1) return { lead: pretty(first), said: outcomeSaid(one), why: againstSaid(one) };
  return { said: names.map((who) => t("tricube.stage.came", { who: pretty(who), outcome: rolled.rolls[who] ? outcomeSaid(rolled.rolls[who]) : "" })).join(" ") };
}

/** @param {RollView} roll */
const againstSaid = ({ dice, difficulty }) => (dice && difficulty.final !== null ? t("tricube.stage.against", { dice: dice.join(" "), final: difficulty.final }) : "");

/** @param {string} who @param {RollView|undefined} roll */
const lineOf = (who, roll) => (roll?.dice ? t("tricube.stage.line", { who: pretty(who), dice: roll.dice.join(" ") }) : "");

/**
 * What a change says aloud before the headline: dice that have landed.
 * @param {import("../../core/types").State} before
 * @param {import("../../core/types").State} after
 */
export function aloud(before, after) {
  if (after.game?.ruleset !== "tricube") return [];
  const was = before.game?.ruleset === "tricube" ? before.game.rolling?.rolls ?? {} : {};
  const now = (after.game.rolling ?? after.game.last_rolling)?.rolls ?? {};
  return Object.entries(now).filter(([who, { dice }]) => dice && was[who] && !was[who].dice).map(([who, roll]) => lineOf(who, roll));
}
