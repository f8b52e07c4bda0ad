/** The decisions that are open now, each with its default one press away. */

import { ASIDES, offerName, question } from "../decisions.js";
import { h } from "../dom.js";
import { canEdit, splitEditor } from "../split.js";
import { sentence, t } from "../texts.js";
import { decide, fold, panel, row } from "./parts.js";

/** What was agreed otherwise belongs to the question of who is next. */
const isAside = (kind) => ASIDES.includes(kind) && kind !== "agreed";

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
  const some = offers.filter((offer) => offer.kind === kind);
  const aside = isAside(kind);
  const key = `${actor}-${step}-${kind}`;
  const title = kind === "agreed" ? t("gm.agreed") : sentence(question(state, actor, step, kind));
  const body = () => answers(state, ui, actor, kind, some);
  // What was agreed otherwise is seldom wanted, and stands beside what is: folded.
  if (kind === "agreed") return fold(ui, key, title, body);
  return h("section", { class: `question ${aside ? "aside" : ""}`, key, "aria-label": title }, h("h3", {}, title), body());
}

/**
 * Questions; null where there are none.
 * @param {Object} state
 * @param {Object} ui
 * @param {boolean} aside those that nobody has to answer, or those that the table waits for
 */
export function askedPanel(state, ui, aside) {
  const groups = ui.questions.flatMap((one) =>
    [...new Set(one.offers.map((offer) => offer.kind))]
      .filter((kind) => kind !== "overrule" && isAside(kind) === aside)
      .map((kind) => group(state, ui, one, kind)),
  );
  if (!groups.length) return null;
  return panel(aside ? "asides" : "asked", t(aside ? "gm.asides" : "table.decisions"), groups);
}
