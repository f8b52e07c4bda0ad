/** A tale on the display: the dice of each roll against its difficulty, the challenges, the people. */

import { h } from "#core/dom.js";
import { markOf } from "#core/generic.js";
import { inRow } from "#core/grammar.js";
import { fetchStyle, later } from "#core/later.js";
import { pretty, t } from "#core/texts.js";
import { dice } from "./dice.js";
import { afflictionSaid } from "./lasting.js";
import { isOut, rolledOf } from "./rolled.js";
import { FEW, followsSaid, isGood, outcomeSaid, prompt as promptOf, SETTLING, verdict as verdictOf } from "./say.js";
import { card as cardOf } from "./seat-cards.js";
import { tokens } from "./tokens.js";

export { back } from "./back.js";
export { beats } from "./beats.js";
export { aloud, leftName } from "./say.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("#core/types.js").Setting} Setting */
/** @typedef {import("./types").Tale} Tale */
/** @typedef {import("./types").RollView} RollView */
/** @typedef {import("./types").RollingView} RollingView */

export const sentences = ".tricube";
export const card = cardOf;

const styled = later(async () => {
  await fetchStyle("tricube-dice");
  return () => null;
});

/** @param {State|null} state @returns {state is Tale} */
export const isTale = (state) => state?.game?.ruleset === "tricube";

/** @param {State} state */
export const scene = (state) => ({
  sort: t("tricube.stage.tale"),
  title: state.title || t("tricube.stage.tale"),
  turns: true,
  about: "",
  nature: t("tricube.stage.tale"),
});

/** Dice entered by cards. @param {readonly string[]} faces */
export const pointsSaid = (faces) => faces.join(", ");

/** @param {State} state */
export const prompt = (state) => (isTale(state) ? promptOf(state) : { head: "", more: "" });

/** @param {State} state */
export const verdict = (state) => (isTale(state) ? verdictOf(state) : null);

/** A roll's difficulty as far as it is known; null before. @param {RollView} roll */
export const hardOf = ({ difficulty: { final, set, quirk } }) => final ?? (set === null ? null : set + quirk);

/**
 * The chance that at least one die reaches the difficulty (%), rounded, without karma; null if that is
 * not known, if the dice lie already, or if the roll is against another one.
 * @param {Pick<RollingView, "what">} rolled
 * @param {RollView} roll
 */
export function chanceOf({ what }, roll) {
  const hard = hardOf(roll);
  if (what !== "challenge" || hard === null || roll.dice) return null;
  return Math.round(100 * (1 - Math.min(1, (hard - 1) / 6) ** roll.count));
}

/** @param {number} percent */
function chance(percent) {
  const label = t("tricube.stage.chance", { percent });
  return h("b", { class: "chance", key: "chance", role: "img", "aria-label": label }, percent);
}

/**
 * Whether the hub throws a roll's dice at this moment.
 * @param {Tale} state
 * @param {RollingView} rolled
 */
export const tumbles = (state, rolled) =>
  rolled.tumbles ?? (state.game.rolling !== null && !rolled.by_hand && state.phase === "locked");

/**
 * Whether a roll takes effort tokens. During a reveal tokens go one by one, so surplus hits are
 * known only at its end.
 * @param {Tale} state
 * @param {RollingView} rolled
 */
export const takesTokens = (state, { defense, challenge }) =>
  state.phase !== "locked" && !defense && challenge !== null && (state.game.challenges[challenge]?.effort ?? 0) > 0;

/**
 * Whether the headline says the outcomes of the rolls.
 * @param {Tale} state
 * @param {RollingView} rolled
 */
const isTold = ({ step }, { order, winner }) => SETTLING.includes(step) && winner === null && order.length <= FEW;

/**
 * @param {Tale} state
 * @param {RollingView} rolled
 * @param {string} who
 * @returns {import("#core/types.js").Roll}
 */
function roll(state, rolled, who) {
  const one = rolled.rolls[who];
  const hard = hardOf(one);
  const percent = chanceOf(rolled, one);
  const out = isOut(state.game, who);
  const kind = one.of && !out ? ` ${t(`tricube.of.${one.of}`)}` : "";
  // Tokens that go are seen on the challenge's own track.
  const follows = out ? followsSaid({ ...one, removed: 0 }) : [];
  const notes = [
    one.quirk && t("tricube.card.quirk", { quirk: one.quirk }),
    one.hindered && !out && t("tricube.stage.hindered", { affliction: one.hindered }),
    ...follows,
  ].filter((each) => typeof each === "string");
  return {
    name: who,
    called: pretty(who) + kind,
    mark: out && one.outcome ? (isGood(one) ? "won" : "lost") : rolled.now === who ? "acts" : "",
    dice: dice(who, one, tumbles(state, rolled)),
    hard: hard === null ? "?" : String(hard),
    said: out && !isTold(state, rolled) ? outcomeSaid(one) : "",
    notes: [percent !== null && chance(percent), ...notes.map((text) => h("span", { key: text }, text))],
  };
}

/**
 * A challenge with its difficulty and its tokens.
 * @param {Tale} state
 * @param {string} name
 * @param {boolean} [called] whether its name is written
 */
function challenge({ game }, name, called = true) {
  const met = game.challenges[name];
  if (!met) return null;
  return h(
    "span",
    { class: `challenge-of ${met.overcome ? "overcome" : ""}`, key: `challenge-${name}` },
    called && h("b", {}, name),
    met.effort > 0 &&
      tokens("effort", met.left, met.effort, t("tricube.stage.effort", { left: met.left, effort: met.effort })),
    met.deadly && h("span", { class: "deadly", key: "deadly" }, t("tricube.aside.deadly")),
    met.overcome && h("i", { key: "overcome" }, t("tricube.stage.overcome")),
  );
}

/** @param {Tale} state @returns {Setting["pieces"]} */
function pieces(state) {
  const rolled = rolledOf(state.game);
  return rolled && (state.game.rolling || SETTLING.includes(state.step)) ? rolls(state, rolled) : null;
}

/**
 * Rolls on the stage, and what they are about.
 * @param {Tale} state
 * @param {RollingView} rolled
 * @returns {import("#core/types.js").Rolls}
 */
export function rolls(state, rolled) {
  return {
    kind: "rolls",
    about: rolled.challenge
      ? challenge(state, rolled.challenge, state.step !== "approach" || state.phase === "locked")
      : t("tricube.facing.opposed"),
    rolls: rolled.order.map((who) => roll(state, rolled, who)),
  };
}

/** @param {string} kind @param {readonly string[]} texts */
const line = (kind, texts) =>
  texts.length > 0 && h("p", { key: kind }, h("b", {}, t(`tricube.lasting.${kind}`)), " ", inRow([...texts]));

/**
 * @param {Tale} state
 * @param {string} who
 * @returns {import("#core/types.js").Person}
 */
function person(state, who) {
  const one = state.game.cast[who];
  const { karma, karma_max: karmas, resolve, resolve_max: resolves } = one;
  return {
    name: who,
    mark: state.phase === "locked" && state.step !== "approach" ? "" : markOf(state, who),
    acts: rolledOf(state.game)?.order.includes(who) ?? false,
    gone: one.absent ? t(`tricube.stage.${one.absent}`) : "",
    left: [
      tokens("karma", karma, karmas, t("tricube.lasting.karma", { has: karma, most: karmas })),
      tokens("resolve", resolve, resolves, t("tricube.lasting.resolve", { has: resolve, most: resolves })),
    ],
    more: [
      h(
        "p",
        { key: "concept" },
        t("tricube.lasting.archetype", { trait: t(`tricube.trait.${one.trait}`), concept: one.concept }),
      ),
      line("perks", one.perks),
      line("quirks", one.quirks),
      one.afflictions.length > 0 && h("p", { key: "afflictions" }, inRow(one.afflictions.map(afflictionSaid))),
    ],
  };
}

/** @param {State} state @returns {Setting} */
export function setting(state) {
  if (!isTale(state)) return { moment: false, rests: false, pieces: null, quiet: null, ring: [] };
  styled();
  const { game } = state;
  const laid = pieces(state);
  return {
    moment: laid !== null,
    rests: state.step === "scene",
    pieces: laid,
    quiet:
      game.listed.length > 0 &&
      h(
        "div",
        { class: "challenges-of", key: "all" },
        game.listed.map((name) => challenge(state, name)),
      ),
    ring: [
      {
        name: "cast",
        called: "",
        won: false,
        people: game.around.filter((who) => who in game.cast).map((who) => person(state, who)),
      },
    ],
  };
}
