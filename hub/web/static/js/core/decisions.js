/** Decisions on a page: plain buttons for the offers, or the family's own editor. */

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
 * The text of an offer's button.
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
 * The cards that an actor may lay beside a decision, each with the reason if it cannot be laid now;
 * null if this page does not know the hand.
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
 * A question of one kind. Next to the refusal it also offers the cards that could be laid, and says
 * why others cannot.
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
 * The text of an answer's button: laying a card next to a refusal is a yes.
 * @param {import("./types").Asking} asking
 * @param {Offer} offer
 */
export const answerName = ({ held }, offer) =>
  held?.includes(offer) ? t("offer.with", { name: offerName(offer) }) : offerName(offer);

/**
 * @param {Ui} ui
 * @param {import("./types").Asking} asking
 * @param {Offer} offer
 * @param {boolean} several whether there are several offers
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
 * Notes needed for an answer, in small print below the question.
 * @param {State} state
 * @param {import("./types").Asking} asking
 */
export const asideOf = (state, asking) =>
  game()
    .aside(state, asking)
    .map((text) => h("p", { class: "hint", key: text }, text));

/**
 * Everything that can be decided on this page now, a section for each question.
 * @param {State|null} state
 * @param {Ui} ui the page's knowledge besides the state: `questions`, unfinished `splits`, and
 *   whether a place is `pending`. Impossible offers are shown with the reason
 */
export function questionSections(state, ui) {
  if (!state) return [];
  return ui.questions.flatMap((asked) =>
    kindsOf(asked.offers).map((kind) => {
      const { actor, step } = asked;
      const asking = askingOf(ui, asked, kind);
      const { offers: some, free } = asking;
      const body =
        game().editor(state, ui, asking) ??
        h(
          "div",
          { class: "row" },
          some.map((offer) => offerButton(ui, asking, offer, some.filter(({ reason }) => !reason).length > 1)),
        );
      const title = game().question(state, asking);
      const rank = free ? "declared" : "";
      return h(
        "section",
        { class: `question ${rank}`, key: `${actor}-${step}-${kind}`, "aria-label": title || null },
        title && h("h3", {}, title),
        asideOf(state, asking),
        countedOf(state, ui, asking),
        body,
      );
    }),
  );
}
