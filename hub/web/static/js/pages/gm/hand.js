/**
 * The characters that this page plays: their possible choices, and the reasons against the others.
 */

import { choiceName, partsOf } from "../../core/cards.js";
import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { cardOf, game } from "../../core/game.js";
import { fold, panel, press, row, turn } from "../../core/parts.js";
import { knows, pretty, t } from "../../core/texts.js";
import { isPicked } from "./act.js";

/** @typedef {import("../../core/types").Actor} Actor */
/** @typedef {import("../../core/types").Offer} Offer */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/** @param {Offer} offer */
const chip = ({ kind, value }) => {
  const card = cardOf(kind, value);
  return card.chip?.() ?? h("span", {}, card.name);
};

/**
 * A card as a button that picks it for `actor`; another press seals it.
 * @param {Ui} ui
 * @param {string} actor
 * @param {Offer} offer
 */
export const lay = (ui, actor, offer) =>
  turn(
    chip(offer),
    { pick: offer.choice, of: actor },
    {
      key: `pick ${actor} ${offer.choice}`,
      kind: `offer chip ${offer.default ? "default" : ""} ${cardOf(offer.kind, offer.value).hue ?? ""}`,
      name: cardOf(offer.kind, offer.value).spoken ?? null,
      pressed: isPicked(ui, actor, offer.choice),
    },
  );

/**
 * The button that seals the picked card; null if none is picked or awaited.
 * @param {State|null} state
 * @param {Ui} ui
 */
export function sealRow(state, ui) {
  const { actor, choice } = ui.picked ?? {};
  if (!actor || !state || state.phase !== "sealed" || !state.awaited.includes(actor) || state.committed.includes(actor))
    return null;
  const name = t("gm.hand.seal", { actor: pretty(actor), card: choiceName(...partsOf(choice)) });
  return h(
    "div",
    { class: "row seal-row", key: "seal-row" },
    turn(t("own.unpick"), { pick: choice, of: actor }, { key: "unpick" }),
    press(
      ui,
      name,
      { command: "commit", actor, choice },
      { place: `commit ${actor} ${choice}`, kind: "offer default seals" },
    ),
  );
}

/**
 * A card as a button that sets it beside, or withdraws it.
 * @param {Ui} ui
 * @param {string} actor
 * @param {Offer} offer
 */
const besideButton = (ui, actor, offer) => {
  const lies = ui.besides.has(actor, offer.choice);
  return [
    press(ui, chip(offer), ui.besides.command(actor, offer.choice), {
      place: `commit ${actor} ${offer.choice}`,
      kind: `offer chip ${lies ? "default" : ""}`,
      more: lies ? t("own.beside.withdraw") : "",
    }),
    ask(offer.choice),
  ];
};

/** The common heading of a row of cards. @param {Offer[]} some */
const titleOf = ([{ kind, value }]) => game().heading(kind, value).title;

/**
 * Cards of one kind, in rows; those that differ only in their number share one.
 * @param {Ui} ui
 * @param {string} actor
 * @param {string} kind
 * @param {Offer[]} offers
 * @param {(ui: Ui, actor: string, offer: Offer) => import("../../core/types").Part} [button]
 */
export function cards(ui, actor, kind, offers, button = lay) {
  const open = offers.filter((offer) => !offer.reason);
  const closed = offers.filter((offer) => offer.reason);
  const rowOf = (/** @type {Offer} */ { value }) => cardOf(kind, value).row ?? 0;
  const numbers = [...new Set(open.map(rowOf))].sort((one, other) => one - other);
  const rows = numbers.map((number) => open.filter((offer) => rowOf(offer) === number));
  const reasons = () =>
    h(
      "ul",
      { class: "closed" },
      closed.map((offer) =>
        h("li", { key: offer.choice }, h("b", {}, `${choiceName(kind, offer.value)}:`), " ", offer.reason),
      ),
    );
  return [
    rows.map((some, at) =>
      h(
        "div",
        { class: `row cards-of ${kind}`, key: `row-${at}`, role: "group", "aria-label": titleOf(some) },
        rows.length > 1 && h("span", { class: "of", "aria-hidden": "true" }, titleOf(some)),
        some.map((offer) => button(ui, actor, offer)),
      ),
    ),
    closed.length > 0 && fold(ui, `closed-${actor}-${kind}`, t("gm.closed", { number: closed.length }), reasons),
  ];
}

/** The requested kind of card, with its explanation. @param {string} kind */
const asked = (kind) =>
  knows(`own.want.${kind}`) &&
  h("p", { class: "row with-ask", key: "asked" }, h("span", {}, t(`own.want.${kind}`)), ask(kind));

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
function player(state, ui, actor) {
  const { name, committed, beside, kinds, beside_kinds: others, offers } = actor;
  /** @param {string} kind */
  const of = (kind) => offers.filter((offer) => offer.kind === kind);
  const title = pretty(name);
  const sealed =
    committed &&
    row(
      h("p", { class: "sealed-now" }, t("gm.hand.sealed")),
      press(ui, t("gm.hand.take-back"), { command: "take-back", actor: name }, { place: `take-back ${name}` }),
    );
  /** @param {string} kind */
  const special = (kind) =>
    fold(
      ui,
      `beside-${name}-${kind}`,
      beside ? t("gm.hand.beside.some", { number: beside }) : t("gm.hand.beside"),
      () => [
        h("p", { class: "hint" }, t("gm.hand.beside.help")),
        beside > ui.besides.size(name) &&
          row(
            press(
              ui,
              t("own.beside.withdraw-all"),
              { command: "withdraw", actor: name },
              { place: `withdraw ${name}` },
            ),
          ),
        cards(ui, name, kind, of(kind), besideButton),
      ],
    );
  return h(
    "section",
    { class: "player", key: `player-${name}`, "aria-label": title },
    h("h3", {}, title),
    ui.console.plays_for.includes(actor) && h("p", { class: "hint", key: "for" }, t("gm.plays.for")),
    sealed,
    !committed &&
      actor.awaited && [
        game().facing(state, name),
        game()
          .dangers(state, name)
          .map(([kind, text]) => h("p", { class: `own-danger ${kind}`, key: kind }, text, " ", ask(kind))),
        kinds.map(
          (kind) =>
            of(kind).length > 0 && h("div", { class: "kind", key: kind }, asked(kind), cards(ui, name, kind, of(kind))),
        ),
      ],
    others.filter((kind) => !kinds.includes(kind) && of(kind).length).map(special),
  );
}

/**
 * The characters played by the GM whose cards the table waits for.
 * @param {State} state
 * @param {Ui} ui
 * @returns {string[]}
 */
export const mustSeal = (state, ui) =>
  state.phase === "sealed"
    ? played(ui, ui.console.gm_seat ?? "gm")
        .filter((one) => one.awaited && !one.committed)
        .map(({ name }) => name)
    : [];

/**
 * The characters that the GM plays: those of the GM's own seat, and those whose player has left.
 * @param {Ui} ui
 * @param {string|null} seat
 * @returns {Actor[]}
 */
const played = (ui, seat) => [...((seat !== null && ui.hands[seat]?.actors) || []), ...ui.console.plays_for];

/**
 * The hand of a seat; null if there is nothing to choose.
 * @param {State} state
 * @param {Ui} ui
 * @param {string|null} seat
 */
export function handPanel(state, ui, seat) {
  const chosen = played(ui, seat).filter(
    ({ awaited, beside, beside_kinds: kinds, offers }) =>
      awaited || beside || offers.some((offer) => kinds.includes(offer.kind) && !offer.reason),
  );
  if (!chosen.length || state.phase !== "sealed") return null;
  return panel(
    "own",
    t("gm.hand"),
    chosen.map((actor) => player(state, ui, actor)),
  );
}
