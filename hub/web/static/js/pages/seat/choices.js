/**
 * The cards of a seat: those to pick from, those that cannot be played with the reason, and
 * specials.
 */

import { front, hue, partsOf, turningCard } from "../../core/cards.js";
import { waits } from "../../core/commands.js";
import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { cardOf, game } from "../../core/game.js";
import { t } from "../../core/texts.js";
import { word } from "../../core/words.js";
import { isSealed, mustSeal, want } from "./moment.js";

/** @typedef {import("../../core/types").Actor} Actor */
/** @typedef {import("../../core/types").Offer} Offer */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * A choice in words; for a number both, because players may show fingers at the table.
 * @param {string} choice
 */
export function choiceWords(choice) {
  const card = cardOf(...partsOf(choice));
  return card.words ?? card.name;
}

/** @param {Offer} offer */
const nameOf = (offer) => choiceWords(offer.choice);

/**
 * @param {Ui} ui
 * @param {Offer} offer
 */
function card(ui, offer) {
  const picked = ui.picked === offer.choice;
  const meaning = game().meaning(offer.kind, offer.value);
  return h(
    "div",
    { class: `own-card ${offer.kind}`, key: offer.choice },
    h(
      "button",
      {
        type: "button",
        key: "card",
        class: `handcard fits ${offer.kind} ${hue(offer.kind, offer.value)} ${picked ? "picked" : ""}`,
        "data-pick": offer.choice,
        "aria-pressed": String(picked),
        "aria-label": meaning ? `${nameOf(offer)}. ${meaning}` : nameOf(offer),
      },
      front(offer.kind, offer.value),
    ),
    meaning && h("p", { class: "meaning", "aria-hidden": "true" }, meaning),
    ask(offer.choice),
  );
}

/**
 * Cards grouped by heading.
 * @param {Offer[]} offers
 */
function grouped(offers) {
  /** @type {Map<string, {title: string, rank: number, offers: Offer[]}>} */
  const groups = new Map();
  for (const offer of offers) {
    const { id, title, rank } = game().heading(offer.kind, offer.value);
    const group = groups.get(id) ?? { title, rank, offers: [] };
    groups.set(id, group);
    group.offers.push(offer);
  }
  return [...groups].sort(([, one], [, other]) => one.rank - other.rank);
}

/**
 * @param {Ui} ui
 * @param {string} id
 * @param {string} title
 * @param {Offer[]} offers
 */
const group = (ui, id, title, offers) =>
  h(
    "div",
    { class: `own-group ${id}`, key: id, role: "group", "aria-label": title },
    h("h3", {}, title),
    h(
      "div",
      { class: "own-cards", "data-arrows": true },
      offers.map((offer) => card(ui, offer)),
    ),
    ask(id),
  );

/**
 * The cards that cannot be chosen now, each with the reason.
 * @param {Offer[]} offers
 */
function closed(offers) {
  if (!offers.length) return null;
  return h(
    "div",
    { class: "own-closed", key: "closed" },
    h("h3", {}, t("own.closed")),
    h(
      "ul",
      {},
      offers.map((offer) =>
        h("li", { key: offer.choice }, h("b", {}, word(offer.choice, nameOf(offer))), h("span", {}, offer.reason)),
      ),
    ),
  );
}

/**
 * The cards of a sealed step to pick from; null when none is awaited.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
export function choices(state, ui, actor) {
  if (!mustSeal(state, actor)) return null;
  const offers = actor.offers.filter((offer) => actor.kinds.includes(offer.kind));
  const open = offers.filter((offer) => !offer.reason);
  return h(
    "section",
    { class: "own-choices", key: "choices", "aria-label": t("own.cards") },
    h("h2", { class: "unseen", key: "title" }, t("own.cards")),
    grouped(open).map(([id, { title, offers: some }]) => group(ui, id, title, some)),
    closed(offers.filter((offer) => offer.reason)),
  );
}

/**
 * The sealed card, face down. It is face up only while its owner holds the button, and only on this
 * page.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
export function sealed(state, ui, actor) {
  if (!state || !isSealed(state, actor)) return null;
  const own = ui.own.get(actor.name);
  const peeking = ui.peeking && Boolean(own);
  const [kind, written] = partsOf(own ?? actor.kinds[0] ?? state.step);
  const shown = game().faceUp(state, kind, actor.name);
  const value = peeking ? written : shown;
  return h(
    "section",
    { class: "own-sealed", key: "sealed", "aria-label": t("own.sealed") },
    turningCard({ key: `sealed-${actor.name}`, kind, value, hidden: t("own.facedown") }),
    h(
      "div",
      { class: "own-sealed-do", key: "do" },
      state.phase !== "locked" && h("p", { key: "more" }, t("own.sealed.more")),
      !own && actor.seal && h("p", {}, t(actor.seal.page ? "own.sealed.page" : "own.sealed.reader")),
      own &&
        shown === null &&
        h(
          "button",
          { type: "button", class: "quiet", key: "peek", "data-peek": actor.name },
          peeking ? choiceWords(own) : t("own.peek"),
        ),
      takeBack(state, ui, actor),
    ),
  );
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
const takeBack = ({ phase }, ui, { name }) =>
  phase === "sealed" &&
  h(
    "button",
    {
      type: "button",
      class: "quiet",
      key: "take-back",
      "data-command": "take-back",
      "data-actor": name,
      "aria-disabled": waits(ui, { command: "take-back", actor: name }),
    },
    t("own.take-back"),
  );

/**
 * The sealed card in the bar near the thumb, while the page is scrolled away from it; null if none
 * is sealed.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor|undefined} actor
 */
export function lying(state, ui, actor) {
  if (!state || !actor || !isSealed(state, actor)) return null;
  const [kind] = partsOf(ui.own.get(actor.name) ?? actor.kinds[0] ?? state.step);
  return h(
    "div",
    { class: "own-lying", key: "lying", role: "group", "aria-label": t("own.sealed") },
    turningCard({
      key: `lying-${actor.name}`,
      kind,
      value: game().faceUp(state, kind, actor.name),
      hidden: t("own.facedown"),
    }),
    h("p", { key: "want" }, want(state, ui, actor)),
    takeBack(state, ui, actor),
  );
}

/**
 * Cards that may be set beside the step: one tap seals, another withdraws.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
export function beside(state, ui, actor) {
  if (state?.phase !== "sealed") return null;
  const kinds = actor.beside_kinds.filter((kind) => !actor.kinds.includes(kind));
  const offers = actor.offers.filter((offer) => kinds.includes(offer.kind));
  if (!offers.length && !actor.beside) return null;
  const unknown = actor.beside > ui.besides.size(actor.name);
  const words = unknown ? "own.beside.unknown" : actor.beside ? "own.beside.lies" : "own.beside.help";
  /** @param {Offer} offer */
  const button = (offer) => {
    const lies = actor.beside > 0 && ui.besides.has(actor.name, offer.choice);
    return h(
      "button",
      {
        type: "button",
        key: "offer",
        class: `offer ${lies ? "default" : ""}`,
        "data-beside": offer.choice,
        "aria-pressed": String(lies),
        "aria-disabled": (offer.reason && !lies) || ui.pending(`beside ${actor.name}`) ? "true" : null,
        "data-why": offer.reason || null,
      },
      h("b", {}, nameOf(offer)),
      offer.reason && h("small", {}, offer.reason),
      lies && h("small", {}, t("own.beside.withdraw")),
    );
  };
  return h(
    "section",
    { class: "own-beside", key: "beside", "aria-label": t("own.beside.title") },
    h("h2", {}, word("beside", t("own.beside.title"))),
    h("p", { class: "hint" }, t(words, { number: actor.beside })),
    unknown &&
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          key: "withdraw",
          "data-command": "withdraw",
          "data-actor": actor.name,
          "aria-disabled": waits(ui, { command: "withdraw", actor: actor.name }),
        },
        t("own.beside.withdraw-all"),
      ),
    h(
      "div",
      { class: "row", "data-arrows": true },
      offers.map((offer) => h("div", { class: "own-offer", key: offer.choice }, button(offer), ask(offer.choice))),
    ),
  );
}

/**
 * The bar near the thumb: who is wanted, the sealed card, the result of the last press, and the seal
 * button.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor|undefined} actor
 * @param {import("../../core/types").Part} bar leads to the wanted character
 * @param {import("../../core/types").Part} lies the sealed card, if it is out of sight
 */
export function thumb(state, ui, actor, bar, lies) {
  const picked = ui.picked && actor && mustSeal(state, actor);
  const waiting = Boolean(actor && ui.pending(`commit ${actor.name}`));
  return h(
    "footer",
    { class: `own-thumb ${picked || ui.said.text || bar || lies ? "" : "bare"}`, key: "thumb" },
    !picked && bar,
    h(
      "p",
      {
        class: `own-said ${ui.said.bad ? "bad" : ""} ${lies && !ui.said.bad ? "unseen" : ""}`,
        role: "status",
        key: "said",
      },
      ui.said.text,
    ),
    lies,
    picked &&
      h(
        "div",
        { class: "own-seal", key: "seal" },
        h("button", { type: "button", class: "quiet", key: "unpick", "data-unpick": true }, t("own.unpick")),
        h(
          "button",
          {
            type: "button",
            class: "offer default seals",
            key: "seal",
            "data-seal": actor.name,
            "aria-disabled": waiting ? "true" : null,
          },
          h("b", {}, t("own.seal", { card: choiceWords(ui.picked) })),
        ),
      ),
  );
}
