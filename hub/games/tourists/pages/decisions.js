/** Questions of a Conflict, and how they are answered. */

import { inRow } from "#core/grammar.js";
import { fetchStyle } from "#core/later.js";
import { knows, list, pretty, t } from "#core/texts.js";
import { again, answering } from "./answering.js";
import { LAYING } from "./asks.js";
import { groupOf, isConflict, isRound, lastOf, partyOf, reversedOf } from "./conflict.js";
import { laying } from "./laying.js";
import { cardLies, cardName } from "./named.js";
import { controlSaid } from "./say.js";
import { conceding, granting, losing, ordering, reframing, telling } from "./telling.js";

export { asks } from "./asks.js";

fetchStyle("tourists-asked");

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("./types").Conflict} Conflict */

const LASTING_FROM = 3;
const PERMANENT = 5;

/** @type {Record<string, (state: any, ui: Ui, asking: Asking) => import("#core/types.js").Part>} */
const EDITORS = {
  ...Object.fromEntries(LAYING.map((step) => [step, laying])),
  answers: answering,
  again,
  tactics: telling,
  tell: telling,
  losses: losing,
  reframe: reframing,
  wish: (_, ui, asking) => granting(ui, asking),
  concede: conceding,
  order: (state, ui) => ordering(state, ui),
};

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export const editor = (state, ui, asking) => (isConflict(state) && EDITORS[asking.kind]?.(state, ui, asking)) || null;

/**
 * The text of a button outside of editors.
 * @param {import("#core/types.js").Offer} offer
 */
export function offerName({ choice }) {
  const [, kind = "", value = ""] = /^(\S+) ?(.*)$/.exec(choice) ?? [];
  if (kind === "because" && value !== "no") {
    const [, what = "", text = ""] = /^(\S+) (.*)$/.exec(value) ?? [];
    return t(`tourists.own.because.${what}`, { text });
  }
  if (kind === "whose" && value !== "no") return pretty(value);
  if (kind === "loss") return t("tourists.own.number", { number: value });
  if (value === "no") return t("tourists.own.take-card-back");
  return knows(`tourists.own.${kind}`) ? t(`tourists.own.${kind}`) : null;
}

/**
 * The question for an actor.
 * @param {State} state
 * @param {Asking} asking
 */
export function question(state, asking) {
  if (!isConflict(state)) return "";
  const { actor, kind, step } = asking;
  const text = asked(state, asking);
  return kind === step && groupOf(state, actor).length > 1
    ? t("tourists.own.named", { actor: pretty(actor), text })
    : text;
}

/**
 * @param {Conflict} state
 * @param {Asking} asking
 */
function asked(state, { actor, kind }) {
  const { wish, parties } = state.game;
  const party = partyOf(state, actor);
  const round = isRound(state) ? state.game.round : null;
  const of = round?.covers ?? (round?.answered.length === 1 ? round.answered[0] : undefined);
  const last = of === undefined ? null : lastOf(state, of);
  const places = {
    actor: pretty(actor),
    party: pretty(party),
    of: pretty(of ?? ""),
    card: last ? cardLies(last.card) : "",
    cover: round?.cover ? cardLies(round.cover.card) : "",
    who: pretty(wish?.who ?? ""),
    text: wish?.text ?? "",
  };
  if (kind === "answers") return t(of ? "tourists.ask.answers" : "tourists.ask.answers.any", places);
  if (kind === "because" && of !== undefined)
    return t(of === party ? "tourists.ask.because.own" : "tourists.ask.because", places);
  if (kind === "reserve" && state.game.draws === "hub") return t("tourists.ask.reserve.hub", places);
  if (kind === "losses")
    return t(
      (parties[party]?.reversed ?? 0) >= LASTING_FROM ? "tourists.ask.losses.lasting" : "tourists.ask.losses",
      places,
    );
  return t(knows(`tourists.ask.${kind}`) ? `tourists.ask.${kind}` : "asks.other", places);
}

/**
 * The outcome if no further card is laid; empty if that says nothing.
 * @param {Conflict} state
 */
export function wouldSay(state) {
  const would = isRound(state) ? state.game.round.would : null;
  if (!would) return "";
  const dominant = pretty(state.game.round?.dominant ?? "");
  return t(`tourists.would.${would.outcome}`, { by: list([...would.by]), count: would.by.length, dominant });
}

/**
 * Notes for each answer.
 * @type {Record<string, (state: any, asking: Asking) => Array<string|false>>}
 */
const ASIDES = {
  reserve: ({ game }, { actor }) => [
    t("tourists.aside.reserve", {
      has: game.members[actor]?.reserve.length ?? 0,
      most: game.members[actor]?.reserve_max ?? 0,
    }),
    typically(game, actor),
  ],
  tactics: ({ game }) => [controlSaid(game.control), game.foregone && t("tourists.begin.foregone")],
  bid: (state) => [wouldSay(state)],
  answers: (state) => [wouldSay(state), state.game.round?.dominant !== null && tokens(state)],
  because: () => [t("tourists.aside.because")],
  story: () => [t("tourists.aside.story")],
  loss: (state, { actor }) => [t("tourists.aside.loss", { party: pretty(partyOf(state, actor)) })],
  losses(state, { actor }) {
    const party = state.game.parties[partyOf(state, actor)];
    const cards = party ? reversedOf(party) : [];
    const named = list(cards.map(cardName));
    if (cards.length < LASTING_FROM) return [t("tourists.aside.losses", { cards: named, count: cards.length })];
    return [
      t("tourists.aside.losses.lasting", { cards: named }),
      t(`tourists.gravity.${Math.min((party?.lasting.length ?? 0) + 1, PERMANENT)}`),
    ];
  },
  tell: (state, { actor }) => [toldHow(state, partyOf(state, actor))],
  refill: () => [t("tourists.aside.refill")],
  "parting-draw": (state, { actor }) => [
    t("tourists.aside.parting", { number: state.game.members[actor]?.draws ?? 1 }),
  ],
  part: () => [t("tourists.aside.part")],
  "deck-empty": () => [t("tourists.aside.deck-empty")],
};

/**
 * The usual number of Reserve cards for one of the GM's parties.
 * @param {import("./types").TouristsView} game
 * @param {string} actor
 */
function typically(game, actor) {
  const number = game.typical_reserve[game.members[actor]?.party ?? ""];
  return number !== undefined && t("tourists.aside.typical", { number });
}

/** @param {Conflict} state */
const tokens = ({ game }) =>
  game.round !== null &&
  t("tourists.aside.tokens", { left: game.round.had - game.round.spent, dominant: pretty(game.round.dominant ?? "") });

/**
 * The round's outcome for a party.
 * @param {Conflict} state
 * @param {string} party
 */
function toldHow({ game }, party) {
  const { winners = [], losers = [] } = game.round ?? {};
  return t(
    winners.includes(party)
      ? "tourists.aside.tell.won"
      : losers.includes(party)
        ? "tourists.aside.tell.lost"
        : "tourists.aside.tell",
  );
}

/**
 * @param {State} state
 * @param {Asking} asking
 */
export function aside(state, asking) {
  if (!isConflict(state)) return [];
  const { actor, kind } = asking;
  const group = kind === state.step ? groupOf(state, actor) : [];
  const one = group.length > 1 && t("tourists.aside.one-of", { names: inRow(group.map(pretty), "or") });
  return [...(ASIDES[kind]?.(state, asking) ?? []), one].flatMap((each) => each || []);
}
