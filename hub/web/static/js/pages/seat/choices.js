// @ts-nocheck
/** What can be sealed: cards to pick from, those that cannot be played with the reason, specials. */

import { choiceName, front, hue, readChoice, turningCard } from "../../games/triangle/cards.js";
import { waits } from "../../core/commands.js";
import { h } from "../../core/dom.js";
import { TYPES } from "../../games/triangle/shapes.js";
import { knows, t } from "../../core/texts.js";
import { faceUp } from "../../games/triangle/turnings.js";
import { mustSeal } from "./moment.js";

/** A written choice in words; a number's as both, for fingers are shown at the table. */
export function choiceWords(choice) {
  const [kind, ...words] = choice.split(" ");
  const name = choiceName(kind, words.join(" "));
  return kind === "option" ? `${words[0]}: ${name}` : name;
}

const nameOf = (offer) => choiceWords(offer.choice);

/** Under which heading a card lies. */
function groupOf({ kind, value }) {
  const choice = readChoice(kind, value);
  if (TYPES.includes(choice.action) && kind !== "special") return choice.action;
  return ["special", "option"].includes(kind) ? kind : choice.type;
}

const GROUPS = [...TYPES, "own", "option", "special", "no-stance", "surrender", "other"];

function card(ui, offer) {
  const picked = ui.picked === offer.choice;
  const meaning = offer.kind === "option" && knows(`own.option.${offer.value}`) && t(`own.option.${offer.value}`);
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
  );
}

function group(ui, name, offers) {
  const title = TYPES.includes(name) ? t(name) : t(`own.group.${name}`);
  return h(
    "div",
    { class: `own-group ${name}`, key: name, role: "group", "aria-label": title },
    h("h3", {}, title),
    h("div", { class: "own-cards", "data-arrows": true }, offers.map((offer) => card(ui, offer))),
  );
}

/** What cannot be chosen now, each with the reason. */
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
        h("li", { key: offer.choice }, h("b", {}, nameOf(offer)), h("span", {}, offer.reason)),
      ),
    ),
  );
}

/** The cards of a sealed step to pick from; null when none is awaited. */
export function choices(state, ui, actor) {
  if (!mustSeal(state, actor)) return null;
  const offers = actor.offers.filter((offer) => actor.kinds.includes(offer.kind));
  const open = offers.filter((offer) => !offer.reason);
  return h(
    "section",
    { class: "own-choices", key: "choices", "aria-label": t("own.cards") },
    GROUPS.map((name) => {
      const some = open.filter((offer) => groupOf(offer) === name);
      return some.length > 0 && group(ui, name, some);
    }),
    closed(offers.filter((offer) => offer.reason)),
  );
}

/** The sealed card, face down; face up only while its owner holds the button, on this page alone. */
export function sealed(state, ui, actor) {
  const lies = ["sealed", "locked", "paused"].includes(state?.phase) && state.committed.includes(actor.name);
  if (!lies) return null;
  const own = ui.own.get(actor.name);
  const peeking = ui.peeking && Boolean(own);
  const [kind, ...words] = (own ?? actor.kinds[0] ?? state.step).split(" ");
  const value = peeking ? words.join(" ") : faceUp(state, kind, actor.name);
  const data = { command: "take-back", actor: actor.name };
  return h(
    "section",
    { class: "own-sealed", key: "sealed", "aria-label": t("own.sealed") },
    turningCard({ key: `sealed-${actor.name}`, kind, value, hidden: t("own.facedown") }),
    h(
      "div",
      { class: "own-sealed-do", key: "do" },
      h("p", {}, t(state.phase === "locked" ? "locked.more" : "own.sealed.more")),
      own &&
        h(
          "button",
          { type: "button", class: "quiet", key: "peek", "data-peek": actor.name },
          peeking ? choiceWords(own) : t("own.peek"),
        ),
      state.phase === "sealed" &&
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            key: "take-back",
            "data-command": "take-back",
            "data-actor": actor.name,
            "aria-disabled": waits(ui, data),
          },
          t("own.take-back"),
        ),
    ),
  );
}

/** Specials that may be set beside the step: one tap seals, another withdraws. */
export function beside(state, ui, actor) {
  if (state?.phase !== "sealed") return null;
  const kinds = actor.beside_kinds.filter((kind) => !actor.kinds.includes(kind));
  const offers = actor.offers.filter((offer) => kinds.includes(offer.kind));
  if (!offers.length && !actor.beside) return null;
  const unknown = actor.beside > ui.besides.size(actor.name);
  const words = unknown ? "own.beside.unknown" : actor.beside ? "own.beside.lies" : "own.beside.help";
  const button = (offer) => {
    const lies = actor.beside > 0 && ui.besides.has(actor.name, offer.choice);
    return h(
      "button",
      {
        type: "button",
        key: offer.choice,
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
    h("h2", {}, t("own.group.special")),
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
    h("div", { class: "row", "data-arrows": true }, offers.map(button)),
  );
}

/** The bar at the thumb: what came of the last press, and the press that seals. */
export function thumb(state, ui, actor) {
  const picked = Boolean(ui.picked && actor && mustSeal(state, actor));
  const waiting = Boolean(actor && ui.pending(`commit ${actor.name}`));
  return h(
    "footer",
    { class: `own-thumb ${picked || ui.said.text ? "" : "bare"}`, key: "thumb" },
    h("p", { class: `own-said ${ui.said.bad ? "bad" : ""}`, role: "status", key: "said" }, ui.said.text),
    picked &&
      h(
        "div",
        { class: "own-seal", key: "seal" },
        h("button", { type: "button", class: "quiet", key: "unpick", "data-unpick": true }, t("own.unpick")),
        h(
          "button",
          { type: "button", class: "offer default seals", key: "seal", "data-seal": actor.name, "aria-disabled": waiting ? "true" : null },
          h("b", {}, t("own.seal", { card: choiceWords(ui.picked) })),
        ),
      ),
  );
}
