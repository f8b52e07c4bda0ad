/** A seat of the virtual table: its reader as a pad, and its hand of cards beside it. */

import { choiceName, front, hue, turningCard } from "../../core/cards.js";
import { h } from "../../core/dom.js";
import { game } from "../../core/game.js";
import { press } from "../../core/parts.js";
import { plug } from "../../core/shapes.js";
import { LEFT, signalWords } from "../../core/signals.js";
import { list, pretty, seatName, sentence, t } from "../../core/texts.js";
import { sharedDeck } from "./shared.js";

/** @typedef {import("../../core/types").TabletopCard} TabletopCard */
/** @typedef {import("../../core/types").TabletopReader} TabletopReader */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {import("../../core/wire").SeatView} SeatView */

const PLAYING = ["sealed", "locked", "paused"];

/**
 * Whether the step asks for cards of this kind, as far as the seat's hand says.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {string} seat
 * @param {string} kind
 */
const fitsStep = (state, ui, seat, kind) =>
  kind === state?.step ||
  Boolean(ui.hands[seat]?.actors.some((/** @type {{kinds: string[]}} */ { kinds }) => kinds.includes(kind)));

/**
 * Whether an offer uses this card; the offer may add a further choice after it.
 * @param {string} written
 */
const isMadeWith =
  (written) =>
  (/** @type {import("../../core/types").Offer} */ { choice, reason }) =>
    !reason && (choice === written || choice.startsWith(`${written} `));

/**
 * Whether a character of the seat could lay this card now, as far as its hand says.
 * @param {State} state
 * @param {Ui} ui
 * @param {SeatView} seat
 * @param {TabletopCard} card
 */
function fits(state, ui, seat, card) {
  const written = `${card.kind} ${card.value}`.trim();
  /** @param {{offers: import("../../core/types").Offer[]}} asked */
  const offered = ({ offers }) => offers.some(isMadeWith(written));
  if (state.phase !== "sealed") {
    return (
      ["open", "decision"].includes(state.phase) &&
      ui.questions.some((one) => seat.characters.includes(one.actor) && offered(one))
    );
  }
  /** @type {import("../../core/types").Actor[]} */
  const actors = (ui.hands[seat.seat]?.actors ?? []).filter(offered);
  const beside = card.value !== "none";
  return actors.some(
    (actor) =>
      (actor.awaited && !actor.committed && actor.kinds.includes(card.kind)) ||
      (beside && actor.beside_kinds.includes(card.kind)),
  );
}

/**
 * @param {TabletopCard} card
 * @param {{seat: string, picked: boolean, fit: boolean, lying: boolean}} how
 */
function handCard(card, { seat, picked, fit, lying }) {
  const modes = [fit && "fits", picked && "picked", lying && "away"].filter(Boolean);
  const name = choiceName(card.kind, card.value);
  return h(
    "button",
    {
      key: `card-${card.tag}`,
      type: "button",
      class: ["handcard", card.kind, hue(card.kind, card.value), ...modes].join(" "),
      "data-card": card.tag,
      "data-seat": seat,
      "aria-pressed": picked ? "true" : "false",
      "aria-label": name,
      disabled: lying,
    },
    front(card.kind, card.value, card.label),
  );
}

/**
 * @param {State|null} state
 * @param {Ui} ui
 * @param {SeatView} seat
 * @param {string[]} tags those on its reader
 */
export function hand(state, ui, seat, tags) {
  /** @type {TabletopCard[]} */
  const cards = ui.decks[seat.seat] ?? [];
  /** @param {string} kind */
  const isNow = (kind) => fitsStep(state, ui, seat.seat, kind);
  const known = game().hand;
  /** Cards of kinds without a heading form one group. @param {string} kind */
  const groupOf = (kind) => (known.includes(kind) ? kind : "other");
  const kinds = [...new Set([...known, ...cards.map(({ kind }) => groupOf(kind))])];
  /** @param {string} group */
  const isGroupNow = (group) => cards.some(({ kind }) => groupOf(kind) === group && isNow(kind));
  const order = kinds.sort((one, other) => Number(isGroupNow(other)) - Number(isGroupNow(one)));
  const groups = order.map((kind) => {
    const some = cards.filter((card) => groupOf(card.kind) === kind);
    if (!some.length) return null;
    const title = known.includes(kind) ? t(`hand.${kind}`) : t("hand.other");
    const drawn = some.map((card) =>
      handCard(card, {
        seat: seat.seat,
        picked: ui.picked === card.tag,
        fit: state !== null && fits(state, ui, seat, card),
        lying: tags.includes(card.tag),
      }),
    );
    return h(
      "div",
      { class: `group ${isGroupNow(kind) ? "now" : ""}`, key: `group-${kind}` },
      h("h4", {}, title),
      h("div", { class: "cards", role: "group", "aria-label": title }, drawn),
    );
  });
  return h(
    "div",
    { class: "hand", role: "group", "aria-label": t("hand", { seat: pretty(seat.seat) }), key: "hand" },
    sharedDeck(ui, seat.seat),
    groups,
  );
}

/**
 * The card on the reader: face down once it is sealed.
 * @param {State} state
 * @param {SeatView} seat
 * @param {TabletopCard} card
 */
function lying(state, seat, card) {
  const { committed, step } = state;
  /** @param {string} name */
  const lies = (name) => committed.includes(name) && game().faceUp(state, step, name) === null;
  const sealed = PLAYING.includes(state.phase) && seat.characters.some(lies);
  const name = choiceName(card.kind, card.value);
  return h(
    "button",
    {
      key: `lying-${card.tag}`,
      type: "button",
      class: "lying-card",
      "data-lift": card.tag,
      "data-seat": seat.seat,
      "aria-label": sealed ? t("card.facedown") : t("card.lies", { card: name }),
    },
    turningCard({
      key: "turning",
      kind: card.kind,
      value: sealed ? null : card.value,
      extra: "on-pad",
      hidden: t("card.facedown"),
    }),
  );
}

/**
 * @param {State|null} state
 * @param {Ui} ui
 * @param {SeatView} seat
 * @param {TabletopReader} reader
 */
export function pad(state, ui, seat, reader) {
  const cards = cardsOf(ui, seat.seat);
  const here = reader.tags.flatMap((tag) => cards.find((card) => card.tag === tag) ?? []);
  const target = ui.picked && cards.some((card) => card.tag === ui.picked);
  const glows = reader.plugged && seat.awaited && !seat.committed && state?.phase === "sealed";
  const words = reader.plugged ? t("reader.empty") : t("reader.unplugged");
  const picked = target && cards.find((card) => card.tag === ui.picked);
  const label = picked
    ? t("reader.put", { card: choiceName(picked.kind, picked.value) })
    : `${t("reader", { name: pretty(seat.seat) })}: ${here.length ? here.length : words}`;
  return h(
    "div",
    {
      class: `pad ${glows ? "glows" : ""} ${target ? "target" : ""} ${reader.plugged ? "" : "unplugged"}`,
      "data-pad": seat.seat,
      key: "pad",
    },
    h(
      "button",
      { type: "button", class: "plate", "data-put": seat.seat, "aria-label": label, key: "plate" },
      !here.length && h("span", {}, picked ? label : words),
    ),
    h("div", { class: "laid-here", key: "lies" }, state && here.map((card) => lying(state, seat, card))),
  );
}

/**
 * @param {State|null} state
 * @param {SeatView} seat
 */
function status(state, seat) {
  if (!state?.game) return null;
  const mode = seat.committed ? "committed" : seat.awaited ? "awaited" : "free";
  const open = ["sealed", "locked", "open", "decision"].includes(state.phase);
  return open && mode !== "free" ? h("span", { class: `badge ${mode}` }, t(`seat.${mode}`)) : null;
}

/**
 * A button to drop a seal whose reader is lost, because its card cannot be lifted.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {SeatView} seat
 */
function drop(state, ui, seat) {
  if (state?.phase !== "sealed" || seat.reader !== "lost") return null;
  return seat.characters
    .filter((name) => state.committed.includes(name))
    .map((name) =>
      press(
        ui,
        t("command.drop-seal", { name: pretty(name) }),
        { command: "drop-seal", actor: name },
        {
          place: `drop ${name}`,
        },
      ),
    );
}

/**
 * Shown instead of the hand while the hub plays the whole seat.
 * @param {State} state
 * @param {Ui} ui
 * @param {SeatView} seat
 */
const hubs = (state, ui, { seat, characters }) =>
  h(
    "div",
    { class: "hubs", key: "hubs" },
    h("p", {}, t("table.hub")),
    press(
      ui,
      t("gm.hub.take"),
      { command: "let-hub-play", actors: [...characters], on: false },
      {
        place: `hub take ${seat}`,
        name: t("gm.hub.take.who", { names: list([...characters]) }),
      },
    ),
  );

/**
 * A reader's seat; one that the state does not know is empty.
 * @param {State|null} state
 * @param {string} name
 * @returns {SeatView}
 */
export const seatOf = (state, name) =>
  state?.seats.find(({ seat }) => seat === name) ?? {
    seat: name,
    characters: [],
    reader: "ok",
    awaited: false,
    committed: false,
  };

/**
 * Whether the hub plays a whole seat.
 * @param {State|null} state
 * @param {SeatView} seat
 */
export const isHubs = (state, { characters }) =>
  state !== null && characters.length > 0 && characters.every((name) => state.hub_plays.includes(name));

/**
 * The cards that a seat can lay: its own and those in the middle.
 * @param {Ui} ui
 * @param {string} seat
 * @returns {TabletopCard[]}
 */
export const cardsOf = (ui, seat) => [...(ui.decks[seat] ?? []), ...ui.deck];

/**
 * The newest words about the card on a reader.
 * @param {Ui} ui
 * @param {string} seat
 */
export function toldLine(ui, seat) {
  const told = ui.told[seat];
  const found = ui.hands[seat]?.lies;
  const lies = found === LEFT && ui.goes(seat) ? null : found;
  return h(
    "p",
    { class: `told ${told?.bad || lies ? "bad" : ""}`, role: "status", key: "told" },
    told?.text || (lies ? signalWords(lies) : ""),
  );
}

/**
 * A reader's cable, and what else can be done with it.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {SeatView} seat
 * @param {TabletopReader} reader
 */
export const cable = (state, ui, seat, { plugged, tags }) =>
  h(
    "div",
    { class: "cable", key: "cable" },
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "data-cable": plugged ? "unplug" : "replug",
        "data-seat": seat.seat,
        key: "cable",
      },
      t(plugged ? "reader.unplug" : "reader.replug"),
    ),
    tags
      .flatMap((tag) => cardsOf(ui, seat.seat).find((card) => card.tag === tag && card.end) ?? [])
      .map((card) =>
        h(
          "button",
          { type: "button", class: "quiet", "data-turn": card.tag, "data-seat": seat.seat, key: `turn-${card.tag}` },
          t("table.turn", { card: choiceName(card.kind, card.value) }),
        ),
      ),
    drop(state, ui, seat),
  );

/**
 * One seat.
 * @param {State|null} state
 * @param {Ui} ui the page's knowledge besides the state
 * @param {TabletopReader} reader
 * @param {import("../../core/types").Part} lamps its own
 */
export function seatPanel(state, ui, reader, lamps) {
  const seat = seatOf(state, reader.seat);
  const players = list(seat.characters);
  return h(
    "article",
    {
      class: "seat",
      key: `seat-${reader.seat}`,
      "data-panel": reader.seat,
      "aria-label": seatName(reader.seat),
    },
    h(
      "header",
      { key: "header" },
      h("h3", {}, sentence(pretty(reader.seat))),
      h("p", {}, players.toLowerCase() === reader.seat ? "" : players),
      status(state, seat),
      seat.reader === "writes-cards" && h("span", { class: "badge" }, t("between.writes.short")),
      seat.reader === "lost" && h("span", { class: "badge lost" }, plug, t("reader.lost.short")),
    ),
    lamps,
    state && isHubs(state, seat)
      ? hubs(state, ui, seat)
      : [
          pad(state, ui, seat, reader),
          toldLine(ui, reader.seat),
          cable(state, ui, seat, reader),
          hand(state, ui, seat, reader.tags),
        ],
  );
}
