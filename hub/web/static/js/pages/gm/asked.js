// @ts-nocheck
/** The decisions that are open now, each with its default one press away. */

import { ASIDES, answersOf, offerName, question } from "../../core/decisions.js";
import { h } from "../../core/dom.js";
import { canEdit, splitEditor } from "../../games/triangle/split.js";
import { pretty, sentence, t } from "../../core/texts.js";
import { decide, fold, panel, press, row } from "../../core/parts.js";

/** What an NPC may declare at any time: seldom wanted, and there are as many as there are NPCs. */
const DECLARED = ["use", "end-combo"];

/** What was agreed otherwise belongs to the question of who is next. */
const isAside = (kind) => ASIDES.includes(kind) && kind !== "agreed";

/** What the table waits for an answer to. */
export const demands = (ui) =>
  ui.questions.flatMap(({ actor, step, offers }) =>
    [...new Set(offers.map(({ kind }) => kind))].filter((kind) => kind !== "overrule" && !isAside(kind)).map((kind) => `${actor} ${step} ${kind}`));

/** Whether the GM plays somebody: in the seat of theirs, or as whoever has a sheet of an NPC. */
const isNpc = (state, ui, actor) =>
  actor in ui.console.npcs ||
  state.seats.some(({ seat, characters }) => seat === ui.console.gm_seat && characters.includes(actor));

/** An answer as a button; one that is not open stays in the list and says why. */
function answer(ui, actor, offer) {
  const options = {
    kind: offer.default ? "offer default" : "offer",
    more: offer.default ? t("offer.default") : "",
    why: offer.reason,
  };
  return decide(ui, offerName(offer), actor, offer.choice, options);
}

function answers(state, ui, actor, kind, offers) {
  if (canEdit(state, actor, kind)) return splitEditor(state, ui, { actor, kind, offers });
  const open = offers.filter((offer) => !offer.reason);
  const closed = offers.filter((offer) => offer.reason);
  return [
    row(open.map((offer) => answer(ui, actor, offer))),
    closed.length > 0 && h("p", { class: "hint", key: "closed" }, t("gm.not-open")),
    closed.length > 0 && h("ul", { class: "closed", key: "those" }, closed.map((offer) =>
      h("li", { key: offer.choice }, h("b", {}, `${offerName(offer)}:`), " ", offer.reason))),
  ];
}

function group(state, ui, { actor, step, offers }, kind) {
  const some = answersOf(ui, actor, kind, offers.filter((offer) => offer.kind === kind));
  const aside = isAside(kind);
  const key = `${actor}-${step}-${kind}`;
  const title = kind === "agreed" ? t("gm.agreed") : sentence(question(state, actor, step, kind));
  const body = () => answers(state, ui, actor, kind, some);
  // What was agreed otherwise is seldom wanted, and stands beside what is: folded.
  if (kind === "agreed") return fold(ui, key, title, body);
  return h("section", { class: `question ${aside ? "aside" : ""}`, key, "aria-label": title }, h("h3", {}, title), body());
}

/** What the NPCs may declare, in one fold that is closed again at the next step. */
function declared(state, ui, some) {
  if (!some.length) return null;
  const { turn_number: number, step } = state;
  const inside = () => some.map(({ actor, offers }) => h(
    "div",
    { class: "row named", key: `declared-${actor}`, role: "group", "aria-label": pretty(actor) },
    h("b", {}, pretty(actor)),
    offers.map((offer) => answer(ui, actor, offer)),
  ));
  return fold(ui, `declared-${state.scene}-${number}-${step}`, t("gm.asides.npcs", { count: some.length }), inside);
}

/** One press for all who could bear a loss and are asked whether they do. */
function nobody(ui) {
  const asked = ui.questions.filter(({ offers }) => offers.some(({ kind }) => kind === "let-be"));
  if (asked.length < 2) return null;
  const all = asked.map(({ actor }) => ({ command: "decide", actor, choice: "let-be" }));
  return row(press(ui, t("gm.let-be.all"), all, { place: "let-be", kind: "offer default" }));
}

/**
 * Questions; null where there are none.
 * @param {Object} state
 * @param {Object} ui
 * @param {boolean} aside those that nobody has to answer, or those that the table waits for
 */
export function askedPanel(state, ui, aside) {
  const folded = (actor, kind) => DECLARED.includes(kind) && isNpc(state, ui, actor);
  const groups = ui.questions.flatMap((one) =>
    [...new Set(one.offers.map((offer) => offer.kind))]
      .filter((kind) => kind !== "overrule" && isAside(kind) === aside && !folded(one.actor, kind))
      .map((kind) => group(state, ui, one, kind)),
  );
  const some = ui.questions
    .map(({ actor, offers }) => ({ actor, offers: offers.filter(({ kind }) => folded(actor, kind)) }))
    .filter(({ offers }) => aside && offers.length);
  groups.push(declared(state, ui, some));
  if (!aside) groups.push(nobody(ui));
  if (!groups.some(Boolean)) return null;
  return panel(aside ? "asides" : "asked", t(aside ? "gm.asides" : "table.decisions"), groups);
}
