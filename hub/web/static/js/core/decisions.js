/** Decisions by word: plain buttons for what is offered, or an editor of the family's own. */

import { choiceName } from "./cards.js";
import { waits } from "./commands.js";
import { countedOf } from "./counted.js";
import { h } from "./dom.js";
import { game } from "./game.js";
import { knows, t } from "./texts.js";

/** @typedef {import("./types").Offer} Offer */
/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Ui} Ui */

/**
 * The words on an offer's button.
 * @param {Offer} offer
 */
export function offerName(offer) {
  const key = `offer.${offer.choice.replace(" ", ".")}`;
  if (knows(key)) return t(key);
  return game().offerName(offer) ?? choiceName(offer.kind, offer.value);
}

/**
 * The kinds of choice among some offers.
 * @param {Offer[]} offers
 */
export const kindsOf = (offers) => [...new Set(offers.map(({ kind }) => kind))];

/**
 * The cards that somebody holds beside a decision, each with why it cannot be laid now; null where
 * this page does not know the hand.
 * @param {Ui} ui
 * @param {string} actor
 * @returns {Offer[]|null}
 */
function cardsOf(ui, actor) {
  /** @type {import("./types").Hand[]} */
  const others = Object.values(ui.hands ?? {});
  /** @type {import("./types").Actor[]} */
  const hands = [...(ui.actors ?? []), ...others.flatMap((hand) => hand.actors ?? [])];
  const hand = hands.find(({ name }) => name === actor);
  return hand ? hand.offers.filter(({ kind }) => hand.beside_kinds.includes(kind)) : null;
}

/**
 * What is put before somebody of one kind: beside "let it be" stand the cards that could
 * be laid, and why others cannot.
 * @param {Ui} ui
 * @param {import("./types").Question} asked
 * @param {string} kind
 * @returns {import("./types").Asking}
 */
export function askingOf(ui, { actor, step, offers, free }, kind) {
  const some = offers.filter((offer) => offer.kind === kind);
  const held = kind === game().refusal ? cardsOf(ui, actor) : null;
  return { actor, step, kind, offers: [...(held ?? []), ...some], free: free.includes(kind), held };
}

/**
 * The words on an answer's button: a card that is laid beside "let it be" is a yes.
 * @param {import("./types").Asking} asking
 * @param {Offer} offer
 */
export const answerName = ({ held }, offer) => (held?.includes(offer) ? t("offer.with", { name: offerName(offer) }) : offerName(offer));

/**
 * @param {Ui} ui
 * @param {import("./types").Asking} asking
 * @param {Offer} offer
 * @param {boolean} several whether there is a choice
 */
function offerButton(ui, asking, offer, several) {
  const { actor } = asking;
  const why = offer.reason || (offer.default && several ? t("offer.default") : "");
  const data = { command: "decide", actor, choice: offer.choice };
  return h(
    "button",
    {
      type: "button",
      key: `offer-${actor}-${offer.choice}`,
      class: `offer ${offer.default ? "default" : ""}`,
      "data-command": "decide",
      "data-actor": actor,
      "data-choice": offer.choice,
      "aria-disabled": offer.reason ? "true" : waits(ui, data),
      "data-why": offer.reason || null,
    },
    h("b", {}, answerName(asking, offer)),
    why && h("small", {}, why),
  );
}

/**
 * What has to be known for an answer, in small print below the question.
 * @param {State} state
 * @param {import("./types").Asking} asking
 */
export const asideOf = (state, asking) => game().aside(state, asking).map((text) => h("p", { class: "hint", key: text }, text));

/**
 * Everything that can be decided by word now, a section for each question.
 * @param {State|null} state
 * @param {Ui} ui what the page knows beside the state: `questions`, unfinished `splits`,
 *   and whether a place is `pending`; what is not open stays in reach and is told why
 */
export function questionSections(state, ui) {
  if (!state) return [];
  return ui.questions.flatMap((asked) =>
    kindsOf(asked.offers).map((kind) => {
      const { actor, step } = asked;
      const asking = askingOf(ui, asked, kind);
      const { offers: some, free } = asking;
      const body = game().editor(state, ui, asking)
        ?? h("div", { class: "row" }, some.map((offer) => offerButton(ui, asking, offer, some.filter(({ reason }) => !reason).length > 1)));
      const title = game().question(state, asking);
      const rank = free ? "declared" : "";
      return h(
        "section",
        { class: `question ${rank}`, key: `${actor}-${step}-${kind}`, "aria-label": title },
        h("h3", {}, title),
        asideOf(state, asking),
        countedOf(state, ui, asking),
        body,
      );
    }),
  );
}
