/** The open decisions, each with its default one press away. */

import { countedOf } from "../../core/counted.js";
import { answerName, asideOf, askingOf, kindsOf, offerName } from "../../core/decisions.js";
import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { game } from "../../core/game.js";
import { decide, fold, panel, press, row } from "../../core/parts.js";
import { portrait } from "../../core/portrait.js";
import { pretty, sentence, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Offer} Offer */
/** @typedef {import("../../core/types").Question} Question */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * Whether a kind is optional; a folded kind belongs to the question beside it.
 * @param {Question} asked
 * @param {string} kind
 */
const isDeclaration = ({ free }, kind) => free.includes(kind) && !game().folded.includes(kind);

/**
 * The questions that the table waits for.
 * @param {Ui} ui
 */
export const demands = (ui) =>
  ui.questions.flatMap((asked) =>
    kindsOf(asked.offers)
      .filter((kind) => !isDeclaration(asked, kind))
      .map((kind) => `${asked.actor} ${asked.step} ${kind}`),
  );

/**
 * Whether the GM plays this character: at the GM's seat, or as an NPC.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} actor
 */
const isNpc = (state, ui, actor) =>
  actor in ui.console.npcs ||
  state.seats.some(({ seat, characters }) => seat === ui.console.gm_seat && characters.includes(actor));

/**
 * An answer as a button; an impossible one is listed with its reason.
 * @param {Ui} ui
 * @param {string} actor
 * @param {Offer} offer
 * @param {string} [more] the actor of an optional answer, or a hint at the default
 * @param {string} [name] its text
 */
function answer(ui, actor, offer, more = "", name = offerName(offer)) {
  const options = {
    kind: offer.default ? "offer default" : "offer",
    more,
    why: offer.reason,
  };
  return decide(ui, name, actor, offer.choice, options);
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {import("../../core/types").Asking} asking
 */
function answers(state, ui, asking) {
  const editor = game().editor(state, ui, asking);
  if (editor) return editor;
  const { actor, offers, free } = asking;
  const open = offers.filter((offer) => !offer.reason);
  const closed = offers.filter((offer) => offer.reason);
  return [
    row(
      open.map((offer) =>
        answer(
          ui,
          actor,
          offer,
          free ? pretty(actor) : offer.default && open.length > 1 ? t("offer.default") : "",
          answerName(asking, offer),
        ),
      ),
    ),
    closed.length > 0 && h("p", { class: "hint", key: "closed" }, t("gm.not-open")),
    closed.length > 0 &&
      h(
        "ul",
        { class: "closed", key: "those" },
        closed.map((offer) =>
          h(
            "li",
            { key: offer.choice },
            !offer.reason.startsWith(`${offerName(offer)} `) && [h("b", {}, `${offerName(offer)}:`), " "],
            offer.reason,
          ),
        ),
      ),
  ];
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Question} asked
 * @param {string} kind
 */
function group(state, ui, asked, kind) {
  const asking = askingOf(ui, asked, kind);
  const isDeclared = isDeclaration(asked, kind);
  const key = `${asked.actor}-${asked.step}-${kind}`;
  const title = game().folded.includes(kind) ? t(`gm.${kind}`) : sentence(game().question(state, asking));
  const body = () => answers(state, ui, asking);
  // A rarely needed kind is folded beside its question.
  if (game().folded.includes(kind))
    return h("div", { class: "row with-ask", key: `ask-${key}` }, fold(ui, key, title, body), ask(kind));
  return h(
    "section",
    { class: `question ${isDeclared ? "declared" : ""}`, key, "aria-label": title },
    h("h3", {}, title),
    asideOf(state, asking),
    countedOf(state, ui, asking),
    body(),
  );
}

/**
 * Questions that a family puts together: their common part once, then each character.
 * @param {State} state
 * @param {Ui} ui
 * @param {Question[]} some
 * @param {string} kind
 * @param {{title: string, inside: import("../../core/types").Part[]}} common
 */
const several = (state, ui, some, kind, { title, inside }) =>
  h(
    "section",
    { class: "question", key: `all-${kind}`, "aria-label": title },
    h("h3", {}, title),
    inside,
    some.map((one) => {
      const asking = askingOf(ui, one, kind);
      return h(
        "div",
        { class: "asked-one", key: one.actor, role: "group", "aria-label": pretty(one.actor) },
        h("h4", { key: "name" }, portrait(one.actor), pretty(one.actor)),
        asideOf(state, asking),
        countedOf(state, ui, asking),
        answers(state, ui, asking),
      );
    }),
  );

/**
 * The NPCs' declarations, in one fold that closes at the next step.
 * @param {State} state
 * @param {Ui} ui
 * @param {Array<{actor: string, offers: Offer[]}>} some
 */
function declared(state, ui, some) {
  if (!some.length) return null;
  const { turn_number: number, step } = state;
  const inside = () =>
    some.map(({ actor, offers }) =>
      h(
        "div",
        { class: "row named", key: `declared-${actor}`, role: "group", "aria-label": pretty(actor) },
        h("b", {}, pretty(actor)),
        offers.map((offer) => answer(ui, actor, offer)),
        kindsOf(offers).map(ask),
      ),
    );
  return fold(ui, `declared-${state.scene}-${number}-${step}`, t("gm.declared.npcs", { count: some.length }), inside);
}

/**
 * One button that declines for all who are asked whether they act.
 * @param {Ui} ui
 */
function nobody(ui) {
  const asked = ui.questions.filter(({ offers }) => offers.some(({ kind }) => kind === game().refusal));
  if (asked.length < 2) return null;
  const all = asked.map(({ actor }) => ({ command: "decide", actor, choice: game().refusal }));
  return row(press(ui, t(`gm.${game().refusal}.all`), all, { place: "let-be", kind: "offer default" }));
}

/**
 * A panel of questions; null if there are none.
 * @param {State} state
 * @param {Ui} ui
 * @param {boolean} declarations optional questions if true, else those that the table waits for
 */
export function askedPanel(state, ui, declarations) {
  /**
   * @param {string} actor
   * @param {string} kind
   */
  const folded = (actor, kind) => game().declared.includes(kind) && isNpc(state, ui, actor);
  /** @param {Question} one */
  const isFirst = ({ offers }) => offers.some(({ kind }) => kind === game().refusal);
  /** @type {Question[]} */
  const inOrder = [...ui.questions.filter(isFirst), ...ui.questions.filter((one) => !isFirst(one))];
  const asked = inOrder.flatMap((one) =>
    kindsOf(one.offers)
      .filter((kind) => isDeclaration(one, kind) === declarations && !folded(one.actor, kind))
      .map((kind) => ({ one, kind })),
  );
  /** @type {import("../../core/types").Part[]} */
  const groups = asked.map(({ one, kind }, at) => {
    const those = asked.filter((each) => each.kind === kind).map((each) => each.one);
    const common = game().together?.(
      state,
      kind,
      those.map(({ actor }) => actor),
    );
    if (!common) return group(state, ui, one, kind);
    return asked.findIndex((each) => each.kind === kind) === at && several(state, ui, those, kind, common);
  });
  const some = ui.questions
    .map(({ actor, offers }) => ({ actor, offers: offers.filter(({ kind }) => folded(actor, kind)) }))
    .filter(({ offers }) => declarations && offers.length);
  groups.push(declared(state, ui, some));
  if (!declarations) groups.unshift(nobody(ui));
  if (!groups.some(Boolean)) return null;
  return panel(declarations ? "declared" : "asked", t(declarations ? "gm.declared" : "table.decisions"), groups);
}
