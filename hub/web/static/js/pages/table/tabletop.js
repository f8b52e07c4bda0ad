/** Cards and cables of the virtual table: gestures and their results. */

import { sayAloud } from "../../core/aloud.js";
import { samePhase } from "../../core/besides.js";
import { choiceName } from "../../core/cards.js";
import { remembered } from "../../core/remembered.js";
import { isBad, LEFT, signalWords } from "../../core/signals.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Frames} Frames */

/** The phases in which a committed seat's card lies sealed. */
const SEALED = ["sealed", "locked", "paused"];
/** Where the browser remembers whether laid cards go back into the hand by themselves. */
const KEPT = "facedown-laid";

export class Tabletop {
  /**
   * @param {import("../../core/types").Ui} ui gets the fields `readers`, `decks`, `deck`, `found`,
   *   `told`, `picked`, `returns`, `goes`
   * @param {(message: Record<string, unknown>) => boolean} send returns whether the message was
   *   sent
   * @param {() => void} render
   */
  constructor(ui, send, render) {
    Object.assign(ui, { readers: [], decks: {}, deck: [], found: {}, told: {}, picked: null });
    ui.returns = remembered(KEPT) !== "stays";
    ui.goes = (/** @type {string} */ seat) => this.goes(seat);
    this.ui = ui;
    this.send = send;
    this.render = render;
    this.lastId = 0;
    /** Id of an unanswered message → its seat. @type {Map<string, string>} */
    this.sent = new Map();
    /** The newest state. @type {import("../../core/types").StateFrame|null} */
    this.newest = null;
    /** The tags that lay on the readers when the newest phase began. @type {Set<string>} */
    this.over = new Set();
    this.lay = this.lay.bind(this);
    this.lift = this.lift.bind(this);
    this.putBack = this.putBack.bind(this);
  }

  /**
   * Store the newest state of all readers and hands.
   * @param {Frames["tabletop"]} frame
   */
  take({ readers, hands, deck }) {
    this.ui.readers = readers;
    this.ui.deck = deck;
    this.ui.decks = Object.fromEntries(hands.map(({ seat, cards }) => [seat, cards]));
    const lie = new Set(this.tags());
    this.over = new Set([...this.over].filter((tag) => lie.has(tag)));
  }

  /**
   * Show a reader's signal.
   * @param {Frames["tell"]} frame
   */
  tell({ seat, signal, reason }) {
    if (this.ui.returns && signal === LEFT) return;
    this.ui.told[seat] = { text: signalWords(signal, reason), bad: isBad(signal) };
  }

  /**
   * Handle an answer; return whether it was to a gesture.
   * @param {Frames["reply"]} frame
   */
  onReply({ id, ok, reason }) {
    const seat = this.sent.get(id);
    if (seat && !ok) this.ui.told[seat] = { text: reason, bad: true };
    return this.sent.delete(id);
  }

  /** Forget pending messages: they are never answered over a new connection. */
  forget() {
    this.sent.clear();
  }

  /**
   * Send a gesture; a refusal is shown at `seat`.
   * @param {Record<string, unknown>} message
   * @param {string} seat
   */
  ask(message, seat) {
    const id = String((this.lastId += 1));
    if (this.send({ ...message, id })) this.sent.set(id, seat);
  }

  /**
   * @param {string} seat
   * @returns {import("../../core/types").TabletopReader|undefined}
   */
  readerOf(seat) {
    return this.ui.readers.find(
      (/** @type {import("../../core/types").TabletopReader} */ reader) => reader.seat === seat,
    );
  }

  /**
   * Take a state as soon as it arrives: when its phase ends, cards have served.
   * @param {import("../../core/types").StateFrame} state
   */
  onNews(state) {
    if (this.newest && !samePhase(this.newest.version, state.version)) this.over = new Set(this.tags());
    this.newest = state;
  }

  /**
   * Once the end of a phase has been shown, put its cards back into the hands. A card laid early, which
   * the next phase has sealed, stays.
   * @param {import("../../core/types").State} shown
   */
  goBack(shown) {
    const { newest, over, ui } = this;
    if (!ui.returns || !newest || !over.size || !samePhase(shown.version, newest.version)) return;
    const sealed = SEALED.includes(newest.phase) ? newest.seats.filter(({ committed }) => committed) : [];
    for (const { seat, tags } of ui.readers)
      if (!sealed.some((one) => one.seat === seat)) for (const tag of tags) if (over.delete(tag)) this.lift(seat, tag);
  }

  /**
   * Whether the card on a seat's reader is about to go back, or has just gone.
   * @param {string} seat
   */
  goes(seat) {
    const tags = this.readerOf(seat)?.tags ?? [];
    return this.ui.returns && (!tags.length || tags.some((tag) => this.over.has(tag)));
  }

  /** The tags on all readers. @returns {string[]} */
  tags() {
    return this.ui.readers.flatMap((/** @type {{tags: string[]}} */ { tags }) => tags);
  }

  /** Let laid cards go back by themselves from now on, or stay as on a real reader. */
  turnReturns() {
    this.ui.returns = !this.ui.returns;
    remembered(KEPT, this.ui.returns ? "returns" : "stays");
    this.render();
  }

  /**
   * Lay a card onto a seat's reader, replacing the cards there; with Shift, beside them.
   * @param {string} tag
   * @param {string} seat
   * @param {{shiftKey: boolean}} event
   */
  lay(tag, seat, event) {
    const { ui } = this;
    const reader = this.readerOf(seat);
    if (
      !reader ||
      ![...(ui.decks[seat] ?? []), ...ui.deck].some((/** @type {{tag: string}} */ card) => card.tag === tag)
    )
      return;
    ui.picked = null;
    if (reader.tags.length && !event.shiftKey) this.ask({ do: "lift", reader: reader.name }, seat);
    this.ask({ do: "place", reader: reader.name, tag }, seat);
    this.render();
  }

  /**
   * Take one card, or every card, off a seat's reader.
   * @param {string} seat
   * @param {string|null} [tag]
   */
  lift(seat, tag = null) {
    const reader = this.readerOf(seat);
    if (reader?.tags.length) this.ask({ do: "lift", reader: reader.name, ...(tag && { tag }) }, seat);
  }

  /**
   * Turn a card on a reader to its other end.
   * @param {string} seat
   * @param {string} tag
   */
  turn(seat, tag) {
    const name = this.readerOf(seat)?.name;
    const end = this.ui.deck.find((/** @type {{tag: string}} */ card) => card.tag === tag)?.end;
    if (!name || !end) return;
    this.ask({ do: "lift", reader: name, tag }, seat);
    this.ask({ do: "place", reader: name, tag: end }, seat);
  }

  /**
   * Search the deck by a card's number, or by its ten.
   * @param {string} seat
   * @param {{text?: string, ten?: string}} by
   */
  find(seat, { text = "", ten = "" }) {
    this.ui.found[seat] = { text, ten };
    this.render();
  }

  /** @param {string} tag */
  pick(tag) {
    const { ui } = this;
    ui.picked = ui.picked === tag ? null : tag;
    const card = ui.picked && [...Object.values(ui.decks).flat(), ...ui.deck].find((one) => one.tag === tag);
    if (card) sayAloud(t("card.picked", { card: choiceName(card.kind, card.value) }));
    this.render();
  }

  /** Put the picked card back into the hand; return whether there was one. */
  putBack() {
    const had = this.ui.picked !== null;
    if (had) this.pick(this.ui.picked);
    return had;
  }

  /**
   * A click on a card, a reader or a cable.
   * @param {DOMStringMap} button
   * @param {{shiftKey: boolean}} event
   */
  click({ card, lift, put, cable, turn, ten, laid, seat = "" }, event) {
    if (laid) this.turnReturns();
    else if (turn) this.turn(seat, turn);
    else if (ten) this.find(seat, { ten: this.ui.found[seat]?.ten === ten ? "" : ten });
    else if (card) this.pick(card);
    else if (lift) this.lift(seat, lift);
    else if (put && this.ui.picked) this.lay(this.ui.picked, put, event);
    else if (cable) this.ask({ do: cable, reader: this.readerOf(seat)?.name }, seat);
  }
}
