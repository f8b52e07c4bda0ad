/** The tourists' part of the chronicle: cards, words and decisions, and their consequences. */

import { list, pretty, sentence, stopped, t } from "#core/texts.js";
import { cardLies, cardName, plainCard } from "../named.js";

/** @typedef {import("#core/types.js").Line} Line */

/**
 * Parse a Reserve card and the party whose card it covers: `33 upright News Crew`.
 * @param {string} value
 */
function covering(value) {
  const [, card = "", party = ""] = /^(\d+ \w+) ?(.*)$/.exec(value) ?? [];
  return { card: plainCard(card), party };
}

/** Parse the cards that mark a Loss, and its text. @param {string} value */
function losing(value) {
  const [, cards = "", text = ""] = /^([\d,]+) ?(.*)$/.exec(value) ?? [];
  return { cards: cards.split(",").join(", "), text };
}

/**
 * The text's suffix and placeholders, by kind of choice.
 * @type {Record<string, (value: string) => [string, Record<string, string>]>}
 */
const SAID = {
  drawn: (value) => ["drawn", { card: plainCard(value) }],
  draw: () => ["draw", {}],
  pass: () => ["pass", {}],
  tactics: (text) => (text ? ["tactics.text", { text }] : ["tactics", {}]),
  told: (text) => (text ? ["told.text", { text }] : ["told", {}]),
  "let-be": () => ["let-be", {}],
  "let-be-all": () => ["let-be-all", {}],
  "ask-again": () => ["ask-again", {}],
  turn: (party) => (party ? ["turn.of", { party: pretty(party) }] : ["turn", {}]),
  reject: (party) => (party ? ["reject.of", { party: pretty(party) }] : ["reject", {}]),
  cover(value) {
    const { card, party } = covering(value);
    return party ? ["cover.of", { card, party: pretty(party) }] : ["cover", { card }];
  },
  whose: (party) => (party === "no" ? ["because.no", {}] : ["whose", { party: pretty(party) }]),
  because(value) {
    if (value === "no") return ["because.no", {}];
    const [, what = "", text = ""] = /^(\S+) (.*)$/.exec(value) ?? [];
    return ["because", { why: t(`tourists.own.because.${what}`, { text }) }];
  },
  loss: (number) => ["loss", { number }],
  losses(value) {
    if (!value) return ["losses", {}];
    const { cards, text } = losing(value);
    return text ? ["losses.text", { cards, text }] : ["losses.cards", { cards }];
  },
  "go-on": () => ["go-on", {}],
  "break-off": () => ["break-off", {}],
  order: (names) => [
    "order",
    {
      names: names
        .split(",")
        .map((name) => pretty(name.trim()))
        .join(", "),
    },
  ],
  concede: () => ["concede", {}],
  reframe: (value) => (["yes", "no"].includes(value) ? [`reframe.${value}`, {}] : ["reframe", { text: value }]),
};

/**
 * @param {string} actor
 * @param {string} choice
 */
export function choiceSaid(actor, choice) {
  const [, kind = "", value = ""] = /^(\S+) ?(.*)$/s.exec(choice) ?? [];
  if (!Object.hasOwn(SAID, kind)) return null;
  const [key, places] = SAID[kind]?.(value) ?? ["", {}];
  return stopped(sentence(t(`tourists.log.${key}`, { actor: pretty(actor), ...places })));
}

/** Each party's word in a round begins a paragraph of the chronicle. @param {string} choice */
export const begins = (choice) => /^(drawn|draw|pass|tactics)( |$)/.test(choice);

/** @param {string} ruleset */
export const sceneSaid = (ruleset) => (ruleset === "tourists" ? t("tourists.log.a.conflict") : null);

/**
 * Deeds between Conflicts, by their `do`.
 * @type {Record<string, (deed: any) => [string, Record<string, string>]>}
 */
const DEEDS = {
  "gain-weakness": ({ words }) => ["weakness", { words }],
  heal: ({ words }) => ["heal", { words }],
  "gain-aspect": ({ words }) => ["aspect", { words }],
  "reserve-is": ({ cards = [] }) =>
    cards.length ? ["reserve", { cards: list(cards.map(lying)) }] : ["reserve.none", {}],
  "is-dead": ({ dead = true }) => [dead ? "gone" : "back", {}],
};

/** A card in words. @param {{number: number, reversed?: boolean}} card */
const lying = ({ number, reversed = false }) => plainCard(`${number} ${reversed ? "reversed" : "upright"}`);

/**
 * A deed of the tourists in words; null for one common to all stories.
 * @param {any} deed
 */
export function deedSaid(deed) {
  if (!Object.hasOwn(DEEDS, deed.do)) return null;
  const [key, places] = DEEDS[deed.do]?.(deed) ?? ["", {}];
  return t(`tourists.deed.${key}`, { name: pretty(deed.name ?? ""), ...places });
}

/** A player's wish in words. @param {Record<string, unknown>} deed */
export const wished = (deed) => deedSaid(deed) ?? "";

/** Consequences in words, by type. @type {Record<string, (came: any) => string>} */
const CAME = {
  "control-changed": ({ party, ranks }) =>
    party ? t("tourists.came.control", { party: pretty(party), ranks, count: ranks }) : t("tourists.came.balanced"),
  "card-drawn": ({ who, card }) => t("tourists.came.drawn", { who: pretty(who), card: cardLies(card) }),
  "card-turned": ({ party, card }) => t("tourists.came.turned", { party: pretty(party), card: cardLies(card) }),
  "card-rejected": ({ party, gone, card }) =>
    t("tourists.came.rejected", { party: pretty(party), gone: cardName(gone), card: cardLies(card) }),
  "card-covered": ({ party, gone, card }) =>
    t("tourists.came.covered", { party: pretty(party), gone: cardName(gone), card: cardLies(card) }),
  "round-over": ({ outcome, by, dominant }) => outcomeSaid(outcome, by, dominant),
  "won-and-lost": ({ winners, losers }) => wonAndLost(winners, losers),
  "loss-suffered": ({ party, who, gravity, text, cards }) => {
    const places = { party: pretty(party), who: pretty(who), cards: list(cards.map(cardName)), text };
    const said =
      gravity === null
        ? t("tourists.came.temporary", places)
        : `${t("tourists.came.lasting", places)} ${t(`tourists.gravity.${gravity}`)}`;
    return text ? `${said} ${t("tourists.came.loss.text", { text })}` : said;
  },
  "wiped-out": ({ party }) => t("tourists.came.wiped-out", { party: pretty(party) }),
  conceded: ({ name, draws }) => t("tourists.came.conceded", { name: pretty(name), number: draws, count: draws }),
  refilled: ({ who, card }) => t("tourists.came.refilled", { who: pretty(who), card: cardLies(card) }),
  "conflict-ended": ({ winner, reason }) => t(`tourists.over.${reason}`, { party: pretty(winner ?? "") }),
};

/**
 * A round's outcome.
 * @param {string} outcome
 * @param {string[]} by
 * @param {string|null} dominant
 */
export const outcomeSaid = (outcome, by, dominant) =>
  t(outcome === "broken" && !by.length ? "tourists.outcome.broken.out" : `tourists.outcome.${outcome}`, {
    by: list(by),
    count: by.length,
    dominant: pretty(dominant ?? ""),
  });

/** @param {string[]} winners @param {string[]} losers */
function wonAndLost(winners, losers) {
  const won = winners.length > 0 && t("tourists.came.won", { names: list(winners), count: winners.length });
  const lost = losers.length > 0 && t("tourists.came.lost", { names: list(losers), count: losers.length });
  return [won, lost].filter(Boolean).join(" ");
}

/**
 * A consequence in words; null for one common to all families, or of another family.
 * @param {any} came
 * @param {Line} _
 * @returns {string[]|null}
 */
export function cameSaid(came, _) {
  return Object.hasOwn(CAME, came.what) ? [sentence(CAME[came.what]?.(came) ?? "")] : null;
}
