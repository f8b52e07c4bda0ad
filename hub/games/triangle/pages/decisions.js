/** The triangle's decisions: questions, the text of the answers, and the split of losses. */

import { knows, pretty, sideName, t } from "#core/texts.js";
import { guards } from "./say.js";
import { REFUSAL, splitName } from "./split.js";
import { worded } from "./worded.js";

export { edit, editor } from "./split.js";

/** The kinds of cards in a hand. */
export const hand = ["move", "stance", "special"];
/** Optional choices that a player should be told about. */
export const calls = ["veto"];
/** What an NPC may declare at any time: seldom wanted, and repeated for each NPC. */
export const declared = ["use", "end-combo"];
/** A next turn by agreement is folded beside the question of who is next. */
export const folded = ["agreed"];
export const refusal = REFUSAL;

/** Traits of a sheet that a narrator can use. @type {Array<"belief"|"flaw">} */
const HINDERING = ["belief", "flaw"];

/**
 * The text of an offer's button; null to use its card's name.
 * @param {import("#core/types.js").Offer} offer
 */
export function offerName({ kind, value }) {
  if (knows(`offer.${kind}`)) return t(`offer.${kind}`, { name: pretty(value) });
  if (["aim", "gain"].includes(kind)) return splitName(value);
  if (kind === "winner") return sideName(value);
  return ["active", "opponent", "target", "decider"].includes(kind) ? pretty(value) : null;
}

/**
 * The question for an actor.
 * @param {import("#core/types.js").State} state
 * @param {import("#core/types.js").Asking} asking
 */
export function question(state, { actor, step, kind, offers, free }) {
  const bounds = offers.find((offer) => offer.bounds)?.bounds;
  const places = {
    actor: pretty(actor),
    loser: pretty(state.game?.turn?.loser ?? ""),
    other: pretty(bounds?.of ?? ""),
    teller: pretty(state.game?.decider ?? ""),
    total: bounds?.total ?? "",
  };
  if (["pass", "veto", REFUSAL].includes(kind)) return t(`question.${kind}`, places);
  if (free) return t("question.declared", places);
  if (step === "veto") return t("question.go-on");
  return t(knows(`question.${step}`) ? `question.${step}` : "asks.other", places);
}

/**
 * Notes for the answer: whether a character who could step in has a card for it, that a split
 * counts only once nobody steps in, the meaning of the revealed number, and the sheet's words for
 * usable traits.
 * @param {import("#core/types.js").State} state
 * @param {import("#core/types.js").Asking} asking
 */
export function aside(state, { actor, step, kind, offers, held }) {
  if (kind === REFUSAL)
    return held
      ? [t(held.some(({ reason }) => !reason) ? "own.step-in" : "own.step-in.none", { actor: pretty(actor) })]
      : [];
  if (kind === "split" && guards(state).length) return [t("own.split.then")];
  if (step !== "describe" || kind !== step) return [];
  const number = state.game?.options?.[actor];
  const sheet = /** @type {Record<string, import("#core/wire.js").PersonView>|undefined} */ (state.story?.party)?.[
    actor
  ];
  const open = offers.filter(({ reason }) => !reason).map(({ value }) => value);
  return [
    ...(number ? [`${number}: ${t(`own.option.${number}`)}.`] : []),
    ...HINDERING.filter((trait) => sheet && open.includes(trait)).map((trait) => {
      const words = sheet?.[trait].text ?? "";
      return t(worded(words) ? "own.tell.trait" : "own.tell.bare", { trait: t(`own.trait.${trait}`), words });
    }),
  ];
}
