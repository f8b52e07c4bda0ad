/** The current step of a tale and the outcome of rolls in words. */

import { anyOf, readiness } from "#core/generic.js";
import { inRow } from "#core/grammar.js";
import { knows, pretty, sentence, stopped, t } from "#core/texts.js";
import { isOut, rolledOf } from "./rolled.js";

/** @typedef {import("./types").Tale} Tale */
/** @typedef {import("./types").RollView} RollView */

/** The outcomes of more rolls than this are only shown at each roll. */
export const FEW = 2;
const GOOD = ["exceptional", "success"];
const SETTLED = [...GOOD, "even"];
/** Steps in which a roll's outcome is final and only its consequences remain. */
export const SETTLING = ["scene", "regain", "price", "fate", "victor"];

/** The awaited players. @param {Tale} state */
function waiting(state) {
  const left = state.awaited.filter((who) => !state.committed.includes(who));
  return sentence(anyOf(state, left.length ? left : state.awaited));
}

/** @param {Tale} state */
const isOver = ({ phase, step }) => phase === "over" || step === "over";

/** What a scene has come to: how many challenges are overcome. @param {Tale["game"]} game */
function overSaid({ listed, challenges }) {
  const number = listed.filter((name) => challenges[name]?.overcome).length;
  return listed.length ? t("tricube.stage.over.why", { count: listed.length, number }) : "";
}

/**
 * @param {Tale} state
 * @returns {import("#core/types.js").Prompt}
 */
export function prompt(state) {
  const { game, step, phase } = state;
  if (isOver(state)) return { head: t("tricube.stage.over"), more: overSaid(game) };
  const { rolling, asked } = game;
  const now = rolling?.now ?? "";
  const places = {
    who: waiting(state),
    roller: pretty(now),
    asker: pretty(asked?.who ?? ""),
    challenge: rolling?.challenge ?? "",
    affliction: asked?.affliction ?? "",
  };
  if (step === "approach") {
    const head = t(rolling?.challenge ? "tricube.stage.approach" : "tricube.stage.approach.opposed", places);
    return { head, more: phase === "locked" ? "" : readiness(state) };
  }
  if (step === "accept") return { head: t("tricube.stage.accept", places), more: offeredSaid(state) };
  if (step === "nod" || step === "instead") {
    const key = `tricube.stage.${step}.${asked?.what}`;
    return {
      head: t(knows(key) ? key : `tricube.stage.${step}`, {
        ...places,
        patient: pretty(asked?.patient ?? asked?.who ?? ""),
      }),
      more: [wantedSaid(state), t(`tricube.stage.${step}.more`)].filter(Boolean).join(" "),
    };
  }
  const key = `tricube.stage.${step}`;
  return { head: t(knows(key) ? key : "other", places), more: knows(`${key}.more`) ? t(`${key}.more`, places) : "" };
}

/** The GM's offer, and what it would bring. @param {Tale} state */
function offeredSaid({ game: { asked } }) {
  if (!asked) return "";
  const why = asked.quirk ?? asked.affliction;
  const brings =
    asked.what === "complication"
      ? t(asked.brings ? "tricube.stage.brings" : "tricube.stage.brings.none", { who: pretty(asked.who) })
      : t("tricube.stage.in-place");
  return [stopped(asked.told || asked.complication || ""), why && t("tricube.aside.because", { why }), brings]
    .filter(Boolean)
    .join(" ");
}

/** A player's request, and the perks used for it. @param {Tale} state */
export function wantedSaid({ game: { asked } }) {
  if (!asked) return "";
  const perks = inRow([...asked.perks]);
  if (asked.what === "cure") return t("tricube.aside.cure", { perks });
  if (asked.what === "karma") return t("tricube.aside.karma", { perks, roller: pretty(asked.roll ?? "") });
  const use = t(`tricube.use.${asked.use ?? "impact"}`, { challenge: asked.challenge ?? "" });
  const told = asked.told && stopped(asked.told);
  return [t("tricube.aside.perk", { perks }), use, told].filter(Boolean).join(" ");
}

/** The outcome of a roll, in a word or two. @param {RollView} roll */
export const outcomeSaid = ({ outcome, moot }) =>
  moot ? t("tricube.stage.moot") : outcome ? t(`tricube.stage.outcome.${outcome}`) : "";

/**
 * The costs and gains of a roll; for one at effort tokens also its surplus hits.
 * @param {RollView} roll
 * @param {boolean} [takes] whether its hits take tokens
 */
export function followsSaid({ removed, gain, price, karma, defeated, hits, settled }, takes = false) {
  const spare = takes && settled ? (hits ?? 0) - removed : 0;
  return [
    karma &&
      t(karma.paid ? "tricube.stage.karma-paid" : "tricube.stage.karma-instead", {
        by: pretty(karma.by),
        perks: inRow([...karma.perks]),
        text: karma.complication ?? "",
      }),
    removed > 0 && t("tricube.stage.removed", { count: removed, number: removed }),
    spare > 0 && t("tricube.stage.spare", { count: spare, number: spare }),
    gain && gain.amount > 0 && t(`tricube.stage.gain.${gain.what}`),
    price && price.resolve > 0 && t("tricube.stage.lost", { count: price.resolve, number: price.resolve }),
    price?.complication && t("tricube.stage.complication", { text: price.complication }),
    defeated && t("tricube.stage.defeated"),
  ].filter((each) => typeof each === "string");
}

/** Whether a roll came out well. @param {RollView} roll */
export const isGood = ({ outcome }) => outcome !== null && SETTLED.includes(outcome);

/**
 * The outcome of the latest rolls, until something else is called for, or of the scene.
 * @param {Tale} state
 * @returns {import("#core/types.js").Verdict|null}
 */
export function verdict(state) {
  if (isOver(state)) {
    const { head: said, more: why } = prompt(state);
    return { said, why };
  }
  const rolled = rolledOf(state.game);
  if (!rolled || !SETTLING.includes(state.step)) return null;
  const names = rolled.order.filter((who) => isOut(state.game, who));
  if (rolled.winner && names.length)
    return {
      said: t("tricube.stage.wins", { who: pretty(rolled.winner) }),
      why: rolled.order.map((who) => lineOf(who, rolled.rolls[who])).join(" "),
    };
  const [first] = names;
  const one = first === undefined ? undefined : rolled.rolls[first];
  if (!one || first === undefined) return null;
  if (names.length === 1) return { said: cameSaid(first, one), why: againstSaid(one), bad: !isGood(one) };
  const bad = names.every((who) => rolled.rolls[who] && !isGood(rolled.rolls[who]));
  if (names.length > FEW) {
    const good = names.filter((who) => GOOD.includes(rolled.rolls[who]?.outcome ?? "")).length;
    return { said: t("tricube.stage.of-many", { count: good, number: good, total: names.length }), bad };
  }
  return { said: names.map((who) => rolled.rolls[who] && cameSaid(who, rolled.rolls[who])).join(" "), bad };
}

/** A roll's outcome, with its roller. @param {string} who @param {RollView} roll */
const cameSaid = (who, roll) => t("tricube.stage.came", { who: pretty(who), outcome: outcomeSaid(roll) });

/** The dice, and the difficulty they were thrown against. @param {RollView} roll */
export const againstSaid = ({ dice, difficulty }) =>
  dice && difficulty.final !== null
    ? t("tricube.stage.against", { dice: dice.join(" "), final: difficulty.final })
    : "";

/** @param {string} who @param {RollView|undefined} roll */
const lineOf = (who, roll) =>
  roll?.dice ? t("tricube.stage.line", { who: pretty(who), dice: roll.dice.join(" ") }) : "";

/**
 * The part of a change read aloud before the headline: landed dice and their outcome.
 * @param {import("#core/types.js").State} before
 * @param {import("#core/types.js").State} after
 */
export function aloud(before, after) {
  if (after.game?.ruleset !== "tricube") return [];
  const was = before.game?.ruleset === "tricube" ? before.game : null;
  const now = after.game;
  const rolls = Object.entries(rolledOf(now)?.rolls ?? {}).filter(([who]) => was?.rolling?.rolls[who]);
  return [
    ...rolls
      .filter(([who, { dice }]) => dice && !was?.rolling?.rolls[who]?.dice)
      .map(([who, roll]) => lineOf(who, roll)),
    ...rolls.filter(([who]) => was && isOut(now, who) && !isOut(was, who)).map(([who, roll]) => cameSaid(who, roll)),
  ];
}

/**
 * The decision of a step, for a scene that was closed there; null for another family's step.
 * @param {string} step
 */
export const leftName = (step) => (knows(`tricube.at-step.${step}`) ? t(`tricube.at-step.${step}`) : null);
