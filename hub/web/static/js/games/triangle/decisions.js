/** The triangle's decisions: what is asked, in which words it is answered, and points to be split. */

import { splitName } from "./split.js";
import { knows, pretty, sideName, t } from "../../core/texts.js";

export { edit, editor } from "./split.js";

/** The kinds of cards in a hand. */
export const hand = ["move", "stance", "special"];
/** What nobody has to answer, but should be told of. */
export const calls = ["veto"];
/** What an NPC may declare at any time: seldom wanted, and there are as many as there are NPCs. */
export const declared = ["use", "end-combo"];
/** What was agreed otherwise belongs to the question of who is next, folded. */
export const folded = ["agreed"];
/** By which somebody who could bear a loss does not. */
export const refusal = "let-be";

/**
 * The words on an offer's button; null where its card says them.
 * @param {import("../../core/types").Offer} offer
 */
export function offerName({ kind, value }) {
  if (knows(`offer.${kind}`)) return t(`offer.${kind}`, { name: pretty(value) });
  if (["aim", "gain"].includes(kind)) return splitName(value);
  if (kind === "winner") return sideName(value);
  return ["active", "opponent", "target", "decider"].includes(kind) ? pretty(value) : null;
}

/**
 * What somebody is asked.
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Asking} asking
 */
export function question(state, { actor, step, kind, offers, free }) {
  const bounds = offers.find((offer) => offer.bounds)?.bounds;
  const places = {
    actor: pretty(actor),
    loser: pretty(state.game?.turn?.loser ?? ""),
    other: pretty(bounds?.of ?? ""),
    total: bounds?.total ?? "",
  };
  if (["pass", "veto", refusal].includes(kind)) return t(`question.${kind}`, places);
  if (free) return t("question.declared", places);
  return t(knows(`question.${step}`) ? `question.${step}` : "asks.other", places);
}
