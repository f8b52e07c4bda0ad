// @ts-nocheck
/** Decisions by word: plain buttons for what is offered, and an editor for points. */

import { choiceName } from "../games/triangle/cards.js";
import { waits } from "./commands.js";
import { h } from "./dom.js";
import { canEdit, holder, splitEditor, splitName } from "../games/triangle/split.js";
import { knows, pretty, sideName, t } from "./texts.js";

export const ASIDES = ["agreed", "end-combo", "use", "pass", "veto", "first", "next-highest"];

/** The words on an offer's button. */
export function offerName(offer) {
  const key = `offer.${offer.choice.replace(" ", ".")}`;
  if (knows(key)) return t(key);
  if (knows(`offer.${offer.kind}`)) return t(`offer.${offer.kind}`, { name: pretty(offer.value) });
  if (["aim", "gain"].includes(offer.kind)) return splitName(offer.value);
  if (offer.kind === "winner") return sideName(offer.value);
  if (["active", "opponent", "target", "decider"].includes(offer.kind)) return pretty(offer.value);
  return choiceName(offer.kind, offer.value);
}

/** The cards that somebody could lay openly beside a decision, as far as this page knows its hand. */
function openCards(ui, actor) {
  const hands = [...(ui.actors ?? []), ...Object.values(ui.hands ?? {}).flatMap((hand) => hand.actors ?? [])];
  const hand = hands.find(({ name }) => name === actor);
  return (hand?.offers ?? []).filter(({ kind, reason }) => hand.beside_kinds.includes(kind) && !reason);
}

/** What is put before somebody of one kind: beside "let it be" stand the cards that could be laid. */
export const answersOf = (ui, actor, kind, offers) =>
  kind === "let-be" ? [...openCards(ui, actor), ...offers] : offers;

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
  if (ASIDES.includes(kind)) return t("question.aside", places);
  return t(knows(`question.${step}`) ? `question.${step}` : "question.other", places);
}

function offerButton(ui, actor, offer) {
  const why = offer.reason || (offer.default ? t("offer.default") : "");
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
    h("b", {}, offerName(offer)),
    why && h("small", {}, why),
  );
}

/**
 * Everything that can be decided by word now, a section for each question.
 * @param {Object|null} state
 * @param {Object} ui what the page knows beside the state: `questions`, unfinished `splits`,
 *   and whether a place is `pending`; what is not open stays in reach and is told why
 */
export function questionSections(state, ui) {
  return ui.questions.flatMap(({ actor, step, offers }) =>
    [...new Set(offers.map((offer) => offer.kind))].map((kind) => {
      const some = answersOf(ui, actor, kind, offers.filter((offer) => offer.kind === kind));
      const body = canEdit(state, actor, kind)
        ? splitEditor(state, ui, { actor, kind, offers: some })
        : h("div", { class: "row" }, some.map((offer) => offerButton(ui, actor, offer)));
      const title = question(state, actor, step, kind);
      const rank = ASIDES.includes(kind) ? "aside" : "";
      return h(
        "section",
        { class: `question ${rank}`, key: `${actor}-${step}-${kind}`, "aria-label": title },
        h("h3", {}, title),
        body,
      );
    }),
  );
}
