/**
 * The shared deck in the middle of the virtual table: single cards whose meaning depends on the end
 * that is laid. A seat finds one by its number.
 */

import { choiceName } from "../../core/cards.js";
import { h, s } from "../../core/dom.js";
import { pretty, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").TabletopCard} TabletopCard */
/** @typedef {import("../../core/types").TabletopReader} TabletopReader */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {{name: string, number: number, ends: TabletopCard[]}} Whole a card with both of its ends */

const TENS = 10;
/** A deck of at most this many cards is shown without a search; also the limit of results. */
const FEW = 12;

/** A card's name, the same for both ends. @param {TabletopCard} card */
const nameOf = ({ value }) => value.split(" ")[0] ?? value;

/**
 * The deck's cards, sorted by number.
 * @param {TabletopCard[]} deck
 * @returns {Whole[]}
 */
export function wholeCards(deck) {
  const seen = new Set();
  const found = deck.flatMap((card) => {
    if (seen.has(card.tag)) return [];
    const other = deck.find(({ tag }) => tag === card.end);
    const ends = other ? [card, other] : [card];
    for (const { tag } of ends) seen.add(tag);
    const name = nameOf(card);
    return [{ name, number: Number.parseInt(name, 10) || 0, ends }];
  });
  return found.sort((one, other) => one.number - other.number);
}

/** Cards grouped by tens: 4 to 9, 10 to 19. @param {Whole[]} cards */
export function byTens(cards) {
  /** @type {Map<string, Whole[]>} */
  const found = new Map();
  for (const card of cards) {
    const ten = String(Math.floor(card.number / TENS));
    found.set(ten, [...(found.get(ten) ?? []), card]);
  }
  return found;
}

/**
 * The cards that a seat sees: those whose number starts with the text; without a text, the selected
 * ten.
 * @param {Whole[]} cards
 * @param {string} text
 * @param {string} ten
 */
export function lookedUp(cards, text, ten) {
  const wanted = text.trim();
  if (wanted) return cards.filter(({ name }) => name.startsWith(wanted)).slice(0, FEW);
  return cards.length <= FEW ? cards : (byTens(cards).get(ten) ?? []);
}

const up = () =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M12 3 22 14H16V21H8V14H2Z" }));

/**
 * One end of a card, as a button.
 * @param {TabletopCard} card
 * @param {{seat: string, picked: boolean, lying: boolean, turned: boolean}} how
 */
const end = (card, { seat, picked, lying, turned }) =>
  h(
    "button",
    {
      key: `card-${card.tag}`,
      type: "button",
      class: ["endcard", turned && "turned", picked && "picked", lying && "away"].filter(Boolean).join(" "),
      "data-card": card.tag,
      "data-seat": seat,
      "aria-pressed": picked ? "true" : "false",
      "aria-label": choiceName(card.kind, card.value),
      disabled: lying,
    },
    h("b", {}, nameOf(card)),
    up(),
  );

/**
 * The deck as a seat sees it.
 * @param {Ui} ui
 * @param {string} seat
 */
export function sharedDeck(ui, seat) {
  /** @type {TabletopCard[]} */
  const deck = ui.deck;
  if (!deck.length) return null;
  const cards = wholeCards(deck);
  const { text = "", ten = "" } = ui.found[seat] ?? {};
  const lies = new Set(ui.readers.flatMap((/** @type {TabletopReader} */ { tags }) => tags));
  const shown = lookedUp(cards, text, ten);
  const title = t("table.deck");
  const tens = cards.length > FEW ? [...byTens(cards)] : [];
  return h(
    "div",
    { class: "group deck-of-all", key: "deck" },
    h("h4", {}, title),
    h(
      "div",
      { class: "look-up", key: "find" },
      h(
        "label",
        { key: "by" },
        h("span", {}, t("table.deck.number")),
        h("input", {
          type: "text",
          inputmode: "numeric",
          autocomplete: "off",
          maxlength: 4,
          value: text,
          "data-find": seat,
          "aria-label": t("table.deck.find", { seat: pretty(seat) }),
          key: "number",
        }),
      ),
      tens.length > 0 &&
        h(
          "div",
          { class: "tens", role: "group", "aria-label": t("table.deck.tens"), key: "tens" },
          tens.map(([each, some]) =>
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                "data-ten": each,
                "data-seat": seat,
                "aria-pressed": String(!text && ten === each),
                key: `ten-${each}`,
              },
              `${some[0]?.name}–${some.at(-1)?.name}`,
            ),
          ),
        ),
    ),
    shown.length > 0 &&
      h(
        "div",
        { class: "cards", role: "group", "aria-label": title, key: "cards" },
        shown.map(({ name, ends }) =>
          h(
            "div",
            { class: "twoends", role: "group", "aria-label": name, key: `whole-${name}-${ends[0]?.tag}` },
            ends.map((card, at) =>
              end(card, {
                seat,
                picked: ui.picked === card.tag,
                lying: ends.some(({ tag }) => lies.has(tag)),
                turned: at > 0,
              }),
            ),
          ),
        ),
      ),
    text !== "" && !shown.length && h("p", { class: "hint", key: "none" }, t("table.deck.none", { number: text })),
  );
}
