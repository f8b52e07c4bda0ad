/** The current step of a Conflict and a round's outcome in words. */

import { anyOf } from "#core/generic.js";
import { knows, pretty, sentence, t } from "#core/texts.js";
import { groupOf, isConflict } from "./conflict.js";
import { cardLies } from "./named.js";

/** @typedef {import("./types").Conflict} Conflict */

/**
 * The awaited players; members of a party who may choose for each other as "Ada or Bo".
 * @param {Conflict} state
 */
const waiting = (state) => {
  const left = state.awaited.filter((who) => !state.committed.includes(who));
  return sentence(anyOf(state, left.length ? left : state.awaited));
};

/** How many choices are awaited, counting each group once. @param {Conflict} state */
const count = (state) =>
  new Set(state.awaited.filter((who) => !state.committed.includes(who)).map((who) => groupOf(state, who)[0])).size;

/** The party of the first awaited player. @param {Conflict} state */
const party = ({ game, awaited }) => pretty(game.members[awaited[0] ?? ""]?.party ?? "");

/** The card being answered, if there is exactly one. @param {Conflict} state */
function answered({ game }) {
  const names = game.round?.answered ?? [];
  const [name = ""] = names;
  const last = game.parties[name]?.laid.at(-1);
  return names.length === 1 && last ? { party: pretty(name), card: cardLies(last.card) } : null;
}

/** How a Conflict has ended. @param {{reason: string, winner: string|null}} result */
export const overSaid = ({ reason, winner }) => t(`tourists.over.${reason}`, { party: pretty(winner ?? "") });

/** The same, and what the winner wanted. @param {Conflict} state */
function ended({ game }) {
  const { result, parties } = game;
  if (!result) return { head: "", more: "" };
  return { head: overSaid(result), more: parties[result.winner ?? ""]?.goal ?? "" };
}

/**
 * @param {Conflict} state
 * @returns {import("#core/types.js").Prompt}
 */
export function prompt(state) {
  const { game, step, phase } = state;
  if (phase === "over" || step === "over") return ended(state);
  const who = waiting(state);
  const places = { who, party: party(state), count: count(state) };
  if (step === "answers") {
    const card = answered(state);
    const head = card ? t("tourists.stage.answers", card) : t("tourists.stage.answers.all");
    return { head, more: t("tourists.stage.answers.more", places) };
  }
  if (step === "tell")
    return {
      head: t("tourists.stage.tell", { party: pretty(game.round?.narrator ?? "") }),
      more: t(
        who === pretty(game.round?.narrator ?? "") ? "tourists.stage.tell.alone" : "tourists.stage.tell.more",
        places,
      ),
    };
  const wish = game.wish && t("tourists.stage.wish", { name: pretty(game.wish.who), text: game.wish.text });
  const laying = game.draws === "hub" ? "laying.hub" : "laying";
  const key = `tourists.stage.${step === "reserve" ? laying : step}`;
  return { head: t(key, places), more: wish || t(`${key}.more`, places) };
}

/**
 * The outcome of a resolved round.
 * @param {Conflict} state
 */
export function verdict(state) {
  const { round, control, result } = state.game;
  if (result) {
    const { head: said, more: why } = ended(state);
    return { said, why };
  }
  if (!round?.outcome || !["losses", "tell", "part", "refill"].includes(state.step)) return null;
  return { said: outcomeSaid(round), why: controlSaid(control) };
}

/** How a round has ended. @param {import("#core/wire.js").RoundView} round */
function outcomeSaid({ outcome, by, dominant }) {
  const key = outcome === "broken" && !by.length ? "broken.out" : outcome;
  const places = { by: by.map(pretty), count: by.length, dominant: pretty(dominant ?? "") };
  return sentence(t(`tourists.outcome.${key}`, places));
}

/** Who has the Control. @param {import("#core/wire.js").ControlView|null} control */
export const controlSaid = (control) =>
  control
    ? t("tourists.came.control", { party: pretty(control.party), ranks: control.ranks, count: control.ranks })
    : t("tourists.came.balanced");

/**
 * The part of a change read aloud before the headline: newly laid cards, and the outcome of a round.
 * @param {import("#core/types.js").State} before
 * @param {import("#core/types.js").State} after
 */
export function aloud(before, after) {
  if (!isConflict(before) || !isConflict(after)) return [];
  const came = after.game.result ? null : verdict(after);
  const outcome = came && came.said !== verdict(before)?.said ? [came.said, came.why] : [];
  return [...cardsAloud(before.game.parties, after.game.parties), ...outcome];
}

/**
 * @param {Conflict["game"]["parties"]} old
 * @param {Conflict["game"]["parties"]} now
 */
const cardsAloud = (old, now) =>
  Object.entries(now).flatMap(([name, { laid }]) => {
    const known = old[name]?.laid ?? [];
    const last = laid.at(-1);
    const same =
      known.length === laid.length &&
      known.at(-1)?.card.number === last?.card.number &&
      known.at(-1)?.card.reversed === last?.card.reversed;
    return last && !same && laid.length >= known.length
      ? [t("tourists.stage.laid", { party: pretty(name), card: cardLies(last.card) })]
      : [];
  });

/**
 * The decision of a step, for a scene that was closed there; null for another family's step.
 * @param {string} step
 */
export const leftName = (step) => (knows(`tourists.at-step.${step}`) ? t(`tourists.at-step.${step}`) : null);
