/** A tale's part of the chronicle: calls, words and decisions, and their consequences. */

import { list, pretty, sentence, stopped, t } from "#core/texts.js";

/** @typedef {import("#core/types.js").Line} Line */
/** @typedef {[string, Record<string, unknown>]} Said */

const TRAITS = ["agile", "brawny", "crafty"];

/** The trait or style of a roll. @param {string} type */
const typeSaid = (type) => t(`tricube.${TRAITS.includes(type) ? "trait" : "style"}.${type}`);

/** A text in quotation marks; empty without one. @param {string|undefined} text */
const quoted = (text) => (text ? ` ${t("tricube.log.quote", { text })}` : "");

/** Choices with a JSON value, by their kind. @type {Record<string, (said: any) => Said>} */
const SAID = {
  call({ challenge, type, rollers = {}, defense = false, sealed = false }) {
    const names = Object.keys(rollers);
    const key = `${defense ? "defense" : "call"}${sealed ? ".sealed" : ""}`;
    return [
      key,
      { names: list(names), count: names.length, challenge: challenge.name ?? challenge, type: typeSaid(type) },
    ];
  },
  oppose: ({ sides }) => [
    "oppose",
    {
      sides: list(
        Object.entries(sides).map(([name, { type }]) =>
          t("tricube.log.side", { name: pretty(name), type: typeSaid(type) }),
        ),
      ),
    },
  ],
  npcs: ({ sides }) => ["npcs", { sides: list(Object.keys(sides)) }],
  offer({ who, told, quirk, affliction }) {
    const because = quirk ?? affliction;
    return [because ? "offer.for" : "offer", { who: pretty(who), because, told: quoted(told) }];
  },
  challenge: ({ name }) => ["challenge", { name }],
  recover: ({ who, affliction }) => ["recover", { who: pretty(who), affliction }],
  convert: ({ who, affliction }) => ["convert", { who: pretty(who), affliction }],
  perk({ perks, use, challenge, told }) {
    return [`perk.${use}`, { perks: list(perks), challenge, told: quoted(told) }];
  },
  cure: ({ affliction, who, perks }) => [
    who ? "cure.of" : "cure",
    { affliction, who: pretty(who ?? ""), perks: list(perks) },
  ],
  karma: ({ perks, for: who }) => [who ? "karma.for" : "karma", { perks: list(perks), who: pretty(who ?? "") }],
  price({ resolve = false, complication = "", told = "" }) {
    const parts = [
      resolve && t("tricube.log.price.resolve"),
      complication && t("tricube.log.price.complication", { text: complication }),
      told && t("tricube.log.quote", { text: told }),
    ];
    return ["price.is", { parts: list(parts.filter(Boolean)) }];
  },
  fate({ affliction, fatal = false, stays = false }) {
    return [fatal ? "fate.fatal" : stays ? "fate.stays" : "fate", { affliction }];
  },
};

/** Choices with a plain value, by their kind. @type {Record<string, (value: string) => Said>} */
const WORDS = {
  turn: () => ["turn", {}],
  end: () => ["end", {}],
  throw: () => ["throw", {}],
  approach: (value) =>
    value.startsWith("quirk ") ? ["approach.quirk", { quirk: value.slice(6) }] : ["approach.plain", {}],
  difficulty: (difficulty) => ["difficulty", { difficulty }],
  dice: (dice) => ["dice", { dice }],
  karma: (perk) => (perk === "none" ? ["karma.none", {}] : ["karma", { perks: perk }]),
  complication: (text) => (text ? ["instead", { text }] : ["instead.none", {}]),
  accept: (value) => [`accept.${value}`, {}],
  nod: (value) => [`nod.${value}`, {}],
  regain: (token) => [`regain.${token}`, {}],
  price: () => ["price", {}],
  told: (text) => (text ? ["told.text", { text }] : ["told", {}]),
};

/** @param {string} kind @param {string} value @returns {Said|null} */
function readSaid(kind, value) {
  if (value.startsWith("{") && Object.hasOwn(SAID, kind)) {
    try {
      return SAID[kind]?.(JSON.parse(value)) ?? null;
    } catch {
      return null;
    }
  }
  return Object.hasOwn(WORDS, kind) ? (WORDS[kind]?.(value) ?? null) : null;
}

/**
 * @param {string} actor
 * @param {string} choice
 */
export function choiceSaid(actor, choice) {
  const [, kind = "", value = ""] = /^(\S+) ?(.*)$/s.exec(choice) ?? [];
  const found = readSaid(kind, value);
  return found && stopped(sentence(t(`tricube.log.${found[0]}`, { actor: pretty(actor), ...found[1] })));
}

/** Each call and each turn begins a paragraph of the chronicle. @param {string} choice */
export const begins = (choice) => /^(call|oppose|npcs|turn)( |$)/.test(choice);

/** @param {string} ruleset */
export const sceneSaid = (ruleset) => (ruleset === "tricube" ? t("tricube.log.a.scene") : null);

/**
 * A challenge's difficulty.
 * @param {{difficulty: number|null, effort: number, left?: number, deadly: boolean}} came
 */
const hard = ({ difficulty, effort, left, deadly }) =>
  list(
    [
      difficulty === null ? t("tricube.came.sealed") : t("tricube.came.difficulty", { difficulty }),
      effort > 0 &&
        (left === undefined
          ? t("tricube.came.effort", { effort, count: effort })
          : t("tricube.came.left", { left, effort })),
      deadly && t("tricube.came.deadly"),
    ].filter((each) => typeof each === "string"),
  );

/** The outcome of a roll. @param {string} outcome */
const outcomeSaid = (outcome) => t(`tricube.came.outcome.${outcome}`);

/** Consequences in words, by type. @type {Record<string, (came: any) => Said>} */
const CAME = {
  "challenge-came": (came) => ["challenge", { name: came.name, hard: hard(came) }],
  "challenge-changed": (came) => ["changed", { name: came.name, hard: hard(came) }],
  "challenge-overcome": ({ name, overcome }) => [overcome ? "overcome" : "stands", { name }],
  "challenge-gone": ({ name }) => ["gone", { name }],
  "challenge-bypassed": ({ name, who, bypassed }) => [bypassed ? "past" : "past.not", { name, who: pretty(who) }],
  "dice-fell"({ who, dice, final, quirk, hindered, outcome }) {
    const places = {
      who: pretty(who),
      dice: dice.join(" "),
      final,
      because: quirk ?? hindered,
      outcome: outcome && outcomeSaid(outcome),
    };
    return [outcome === null ? "dice.lie" : (quirk ?? hindered) ? "dice.because" : "dice", places];
  },
  "roll-made-easier": ({ who, by, perks, complication }) => [
    complication === null ? (who === by ? "easier" : "easier.for") : "easier.instead",
    { who: pretty(who), by: pretty(by), perks: list(perks), text: complication },
  ],
  "outcome-changed": ({ who, final, outcome }) =>
    outcome === null
      ? ["open", { who: pretty(who) }]
      : ["now", { who: pretty(who), final, outcome: outcomeSaid(outcome) }],
  "came-to-nothing": ({ who }) => ["nothing", { who: pretty(who) }],
  "effort-taken": ({ who, challenge, removed, left }) => [
    left ? "taken" : "taken.all",
    { who: pretty(who), challenge, removed, left, count: removed },
  ],
  "token-regained": ({ who, regained, amount }) => [
    `regained.${regained}${amount ? "" : ".full"}`,
    { who: pretty(who) },
  ],
  "price-paid"({ who, resolve, complication }) {
    const parts = [
      resolve > 0 && t("tricube.came.price.resolve", { resolve, count: resolve }),
      complication && t("tricube.came.price.complication", { text: complication }),
    ].filter(Boolean);
    return [parts.length ? "price" : "price.told", { who: pretty(who), parts: list(parts) }];
  },
  "last-resolve-gone": ({ who }) => ["defeated", { who: pretty(who) }],
  "contest-decided": ({ sides, winner }) => [
    winner === null ? "contest.even" : "contest",
    { winner: pretty(winner ?? ""), sides: list(sides) },
  ],
  "affliction-came": ({ who, name, lasts }) => [
    "affliction",
    { who: pretty(who), name, lasts: t(`tricube.lasts.${lasts}`) },
  ],
  "affliction-gone": ({ who, name }) => ["affliction.gone", { who: pretty(who), name }],
  "quirk-came": ({ who, name }) => ["quirk", { who: pretty(who), name }],
  "quirk-gone": ({ who, name }) => ["quirk.gone", { who: pretty(who), name }],
  "karma-now": ({ who, karma, most }) => ["karma", { who: pretty(who), karma, most }],
  "resolve-now": ({ who, resolve, most }) => ["resolve", { who: pretty(who), resolve, most }],
  "absent-now": ({ who, absent }) => [`absent.${absent ?? "back"}`, { who: pretty(who) }],
};

/**
 * A consequence in words; null for one common to all families, or of another family.
 * @param {any} came
 * @param {Line} _
 * @returns {string[]|null}
 */
export function cameSaid(came, _) {
  const found = Object.hasOwn(CAME, came.what) ? CAME[came.what]?.(came) : null;
  return found ? [sentence(t(`tricube.came.${found[0]}`, found[1]))] : null;
}
