/** The triangle's decisions: what is asked, in which words it is answered, and points to be split. */

import { holder, splitName } from "./split.js";
import { knows, pretty, sideName, t } from "../../core/texts.js";

export { edit, editor } from "./split.js";

/** The kinds of cards in a hand. */
export const hand = ["move", "stance", "special"];
/** Kinds of choice that nobody has to answer. */
export const declarations = ["agreed", "end-combo", "use", "pass", "veto", "first", "next-highest"];
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
 * @param {string} actor
 * @param {string} step
 * @param {string} kind
 */
export function question(state, actor, step, kind) {
  const turn = state.game?.turn;
  const places = {
    actor: pretty(actor),
    loser: pretty(turn?.loser ?? ""),
    other: pretty((turn && holder(turn, actor, kind)) ?? ""),
    total: turn?.losses?.[actor]?.total ?? "",
  };
  if (kind === "pass") return t("question.pass", places);
  if (kind === "veto") return t("question.veto", places);
  if (declarations.includes(kind)) return t("question.declared", places);
  return t(knows(`question.${step}`) ? `question.${step}` : "question.other", places);
}
