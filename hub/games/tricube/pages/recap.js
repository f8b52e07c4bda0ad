/** Highlights of an evening of tales: memorable rolls, defeats, and help among friends. */

import { inRow } from "#core/grammar.js";
import { pretty, t } from "#core/texts.js";
import { rolledOf } from "./rolled.js";

/** @typedef {import("#core/types.js").RecapOutcome} RecapOutcome */
/** @typedef {{text: string, watch: string}} Told */
/** @typedef {{who: string, challenge: string|null, dice: number[], outcome: string|null, watch: string}} Thrown */

/**
 * Every roll with its final outcome, which karma may have changed.
 * @param {RecapOutcome[]} outcomes
 */
function thrown(outcomes) {
  /** @type {Thrown[]} */
  const rolls = [];
  for (const { came, state, scene, seq } of outcomes) {
    const challenge = state.game?.ruleset === "tricube" ? (rolledOf(state.game)?.challenge ?? null) : null;
    for (const each of /** @type {any[]} */ (came)) {
      if (each.what === "dice-fell")
        rolls.push({ who: each.who, challenge, dice: each.dice, outcome: each.outcome, watch: `${scene}.${seq}` });
      const last = each.what === "outcome-changed" && rolls.findLast(({ who }) => who === each.who);
      if (last) Object.assign(last, { outcome: each.outcome, watch: `${scene}.${seq}` });
    }
  }
  return rolls;
}

/** @param {Thrown} roll @returns {Told} */
const rollSaid = ({ who, challenge, dice, watch }) => ({
  text: t(challenge ? "tricube.recap.roll.at" : "tricube.recap.roll", {
    who: pretty(who),
    challenge,
    dice: dice.join(" "),
  }),
  watch,
});

/**
 * Texts for one kind of event.
 * @param {RecapOutcome[]} outcomes
 * @param {(came: any, outcome: RecapOutcome) => string|null} said
 * @returns {Told[]}
 */
const happened = (outcomes, said) =>
  outcomes.flatMap((outcome) =>
    outcome.came.flatMap((each) => {
      const text = said(each, outcome);
      return text === null ? [] : [{ text, watch: `${outcome.scene}.${outcome.seq}` }];
    }),
  );

/** Defeats with their lasting effects. @param {RecapOutcome[]} outcomes */
function defeats(outcomes) {
  /** Characters without resolve: their affliction follows in a later choice. @type {Set<string>} */
  const down = new Set();
  return happened(outcomes, (came) => {
    if (came.what === "last-resolve-gone") down.add(came.who);
    if (came.what !== "affliction-came" || !down.delete(came.who)) return null;
    return t("tricube.recap.defeat", {
      who: pretty(came.who),
      affliction: came.name,
      lasts: t(`tricube.lasts.${came.lasts}`),
    });
  });
}

/** The challenges overcome, and by whose dice. @param {RecapOutcome[]} outcomes */
function overcome(outcomes) {
  return happened(outcomes, (came, outcome) => {
    if (came.what !== "challenge-overcome" || !came.overcome) return null;
    const by = /** @type {any} */ (
      outcome.came.find(
        (/** @type {any} */ each) => each.what === "effort-taken" && each.challenge === came.name && each.left === 0,
      )
    );
    return t(by ? "tricube.recap.overcame" : "tricube.recap.overcame.told", {
      challenge: came.name,
      who: pretty(by?.who ?? ""),
    });
  });
}

/** Karma that one player gave for another's roll. @param {RecapOutcome[]} outcomes */
const friends = (outcomes) =>
  happened(outcomes, ({ what, who, by, perks }) =>
    what === "roll-made-easier" && who !== by
      ? t("tricube.recap.friend", { by: pretty(by), who: pretty(who), perks: inRow([...perks]) })
      : null,
  );

/**
 * @param {RecapOutcome[]} outcomes of all scenes, in order
 * @returns {Array<{title: string, text: string, watch?: string}>}
 */
export function highlights(outcomes) {
  const rolls = thrown(outcomes);
  /** @param {string} outcome */
  const of = (outcome) => rolls.filter((roll) => roll.outcome === outcome).map(rollSaid);
  const kinds = {
    exceptional: of("exceptional"),
    overcome: overcome(outcomes),
    critical: of("critical"),
    defeats: defeats(outcomes),
    friends: friends(outcomes),
  };
  return Object.entries(kinds).flatMap(([kind, told]) =>
    told.length
      ? [
          {
            title: t(`tricube.recap.${kind}`, { number: told.length }),
            text: inRow(told.map(({ text }) => text)),
            watch: told.at(-1)?.watch,
          },
        ]
      : [],
  );
}
