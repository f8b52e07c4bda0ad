/**
 * Regroups the questions of a Conflict for the pages: all answers to one question are shown
 * together. Cards laid at the table are asked for too, although the hub offers no single cards of a
 * deck.
 */

import { groupOf, isAsked, isConflict, staying } from "./conflict.js";

/** @typedef {import("#core/types.js").Question} Question */
/** @typedef {import("#core/types.js").Offer} Offer */
/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/** Steps in which a card is laid. */
export const LAYING = ["reserve", "draw", "bid", "redraw", "story", "refill", "parting-draw"];
/** Kinds that answer a card. */
const ANSWERS = ["turn", "reject", "cover"];
/** Steps in which one member of a party answers for all. */
const SAID = ["tactics", "loss", "losses", "tell"];
const GM = "gm";
/** Shown with the step's answers even where it is optional. */
const PASS = "pass";

/**
 * An offer that stands for many choices.
 * @param {string} kind
 * @param {string} choice
 * @returns {Offer}
 */
const open = (kind, choice) => ({ choice, kind, value: "", reason: "", why: null, default: false, bounds: null });

/**
 * The kind under which an offer is shown on the page.
 * @param {import("./types").Conflict} state
 * @param {Question} asked
 * @param {Offer} offer
 */
function kindOf(state, { actor, step, free }, { kind, value }) {
  if (!free.includes(kind) || kind === PASS) return step;
  if (ANSWERS.includes(kind)) return step === "answers" && isAsked(state, actor) ? step : "again";
  if (kind === "reframe" && value === "no") return "wish";
  return kind === "reframe" && state.game.wish ? "wish" : kind;
}

/** @param {import("./types").Conflict} state @param {Question} asked @returns {Question} */
function together(state, asked) {
  const offers = asked.offers.map((offer) => ({ ...offer, kind: kindOf(state, asked, offer) }));
  const kinds = [...new Set(offers.map(({ kind }) => kind))];
  return { ...asked, offers, free: kinds.filter((kind) => kind !== asked.step && kind !== "wish") };
}

/**
 * Questions that the hub does not ask: for a card of a deck, an order, a text.
 * @param {import("./types").Conflict} state
 * @param {Ui} ui
 * @param {string} actor
 * @returns {Offer[]}
 */
function more(state, ui, actor) {
  const { game, step } = state;
  if (actor === GM) return mayOrder(state) ? [open("order", "order")] : [];
  const found = [];
  if (LAYING.includes(step) && game.draws === "table" && isAsked(state, actor)) found.push(open(step, "drawn"));
  // The GM agrees to a Reframing without a question; its console has no room for one text per
  // character.
  if (
    !ui.console &&
    !game.result &&
    step !== "reserve" &&
    staying(state, game.members[actor]?.party ?? "").includes(actor)
  )
    found.push(open("reframe", "reframe"));
  return found;
}

/**
 * Whether the order of the Contenders can be set: before any party has spoken in the round, if
 * there is a Dominant and more than one Contender.
 * @param {import("./types").Conflict} state
 */
function mayOrder({ step, game }) {
  const { control, parties, round } = game;
  const begun = Object.values(parties).some(({ laid, passed }) => laid.length || passed);
  const open = step === "tactics" || (step === "bid" && !begun && !round?.discarded.length);
  return open && control !== null && contenders(game).length > 1;
}

/**
 * The parties that speak before the Dominant, around the table.
 * @param {import("./types").TouristsView} game
 */
export const contenders = ({ parties, control }) =>
  Object.keys(parties).filter((name) => !parties[name]?.out && name !== control?.party);

/**
 * Whether another member of the party is shown instead: the GM answers once for all.
 * @param {import("./types").Conflict} state
 * @param {string} actor
 */
const isSaidBy = (state, actor) =>
  SAID.includes(state.step) && isAsked(state, actor) && groupOf(state, actor)[0] !== actor;

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Question[]} questions
 * @returns {Question[]}
 */
export function asks(state, ui, questions) {
  if (!isConflict(state) || !["open", "decision"].includes(state.phase)) return questions;
  const known = questions
    .map((asked) => together(state, asked))
    .filter(({ actor }) => !ui.console || !isSaidBy(state, actor));
  return [...Object.keys(state.game.members), GM].flatMap((actor) => {
    const asked = known.find((one) => one.actor === actor);
    const own = more(state, ui, actor);
    if (!asked && !own.length) return [];
    const free = own.map(({ kind }) => kind).filter((kind) => kind !== state.step);
    return [
      {
        actor,
        step: state.step,
        offers: [
          ...own.filter(({ kind }) => kind === state.step),
          ...(asked?.offers ?? []),
          ...own.filter(({ kind }) => kind !== state.step),
        ],
        free: [...(asked?.free ?? []), ...free],
      },
    ];
  });
}
