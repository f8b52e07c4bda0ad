// @ts-nocheck
/** The characters that this page plays: what they may choose now, and why not the rest. */

import { choiceName, readChoice } from "../../games/triangle/cards.js";
import { h } from "../../core/dom.js";
import { place, sign, TYPES } from "../../games/triangle/shapes.js";
import { pretty, t } from "../../core/texts.js";
import { isPicked } from "./act.js";
import { fold, panel, press, row, turn } from "../../core/parts.js";

const card = (kind, value) => {
  const choice = readChoice(kind, value);
  return [
    choice.action && sign(choice.action),
    choice.element && place(choice.element),
    h("span", {}, choice.type === "stance" ? choice.amount : choiceName(kind, value)),
  ];
};

/** A card as a button that picks it for `actor`: sealed is it with another press. */
export const lay = (ui, actor, offer) =>
  turn(card(offer.kind, offer.value), { pick: offer.choice, of: actor }, {
    key: `pick ${actor} ${offer.choice}`,
    kind: `offer chip ${offer.default ? "default" : ""} ${readChoice(offer.kind, offer.value).action ?? ""}`,
    name: offer.kind === "stance" ? choiceName(offer.kind, offer.value) : null,
    pressed: isPicked(ui, actor, offer.choice),
  });

/** The press that seals the picked card; null while none is picked, or none is awaited any more. */
export function sealRow(state, ui) {
  const { actor, choice } = ui.picked ?? {};
  if (!actor || state?.phase !== "sealed" || !state.awaited.includes(actor) || state.committed.includes(actor)) return null;
  const [kind, ...words] = choice.split(" ");
  const name = t("gm.hand.seal", { actor: pretty(actor), card: choiceName(kind, words.join(" ")) });
  return h(
    "div",
    { class: "row seal-row", key: "seal-row" },
    turn(t("own.unpick"), { pick: choice, of: actor }, { key: "unpick" }),
    press(ui, name, { command: "commit", actor, choice }, { place: `commit ${actor} ${choice}`, kind: "offer default seals" }),
  );
}

/** A special as a button that sets it beside, or withdraws it. */
const aside = (ui, actor, offer) => {
  const lies = ui.besides.has(actor, offer.choice);
  return press(ui, card(offer.kind, offer.value), ui.besides.command(actor, offer.choice), {
    place: `commit ${actor} ${offer.choice}`,
    kind: `offer chip ${lies ? "default" : ""}`,
    more: lies ? t("own.beside.withdraw") : "",
  });
};

/** Cards of one kind; stances a row for each type, since only their number differs. */
function cards(ui, actor, kind, offers, button = lay) {
  const open = offers.filter((offer) => !offer.reason);
  const closed = offers.filter((offer) => offer.reason);
  const some = (fitting) => open.filter(({ value }) => fitting(readChoice(kind, value)));
  const rows =
    kind === "stance"
      ? [...TYPES.map((type) => some((choice) => choice.action === type)), some((choice) => !choice.action)]
      : [open];
  const reasons = () =>
    h("ul", { class: "closed" }, closed.map((offer) =>
      h("li", { key: offer.choice }, h("b", {}, `${choiceName(kind, offer.value)}:`), " ", offer.reason)));
  return [
    rows.filter((some) => some.length).map((some, at) =>
      h("div", { class: `row cards-of ${kind}`, key: `row-${at}` }, some.map((offer) => button(ui, actor, offer)))),
    closed.length > 0 && fold(ui, `closed-${actor}-${kind}`, t("gm.closed", { number: closed.length }), reasons),
  ];
}

function player(ui, actor) {
  const { name, committed, beside, kinds, beside_kinds: others, offers } = actor;
  const of = (kind) => offers.filter((offer) => offer.kind === kind);
  const title = pretty(name);
  const sealed = committed && row(
    h("p", { class: "sealed-now" }, t("gm.hand.sealed")),
    press(ui, t("gm.hand.take-back"), { command: "take-back", actor: name }, { place: `take-back ${name}` }),
  );
  const special = (kind) =>
    fold(ui, `beside-${name}-${kind}`, beside ? t("gm.hand.beside.some", { number: beside }) : t("gm.hand.beside"), () => [
      h("p", { class: "hint" }, t("gm.hand.beside.help")),
      beside > ui.besides.size(name) && row(
        press(ui, t("own.beside.withdraw-all"), { command: "withdraw", actor: name }, { place: `withdraw ${name}` }),
      ),
      cards(ui, name, kind, of(kind), aside),
    ]);
  return h(
    "section",
    { class: "player", key: `player-${name}`, "aria-label": title },
    h("h3", {}, title),
    sealed,
    !committed && actor.awaited && kinds.map((kind) => of(kind).length > 0 &&
      h("div", { class: "kind", key: kind }, cards(ui, name, kind, of(kind)))),
    others.filter((kind) => !kinds.includes(kind) && of(kind).length).map(special),
  );
}

/** Whose cards the table waits for among those of the GM's own seat. */
export const mustSeal = (state, ui) =>
  state.phase === "sealed" ? (ui.hands[ui.console.gm_seat]?.actors ?? []).filter((one) => one.awaited && !one.committed).map(({ name }) => name) : [];

/**
 * The hand of a seat; null while nobody of it has anything to choose.
 * @param {Object} state
 * @param {Object} ui
 * @param {string} seat
 */
export function handPanel(state, ui, seat) {
  const actors = ui.hands[seat]?.actors ?? [];
  const chosen = actors.filter(({ awaited, beside, beside_kinds: kinds, offers }) =>
    awaited || beside || offers.some((offer) => kinds.includes(offer.kind) && !offer.reason));
  if (!chosen.length || state.phase !== "sealed") return null;
  return panel("own", t("gm.hand"), chosen.map((actor) => player(ui, actor)));
}
