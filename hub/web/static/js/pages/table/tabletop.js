/** Cards and cables of the virtual table: what is moved, and what became of it. */

import { sayAloud } from "../../core/aloud.js";
import { choiceName } from "../../core/cards.js";
import { isBad, signalWords } from "../../core/signals.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Frames} Frames */

export class Tabletop {
  /**
   * @param {import("../../core/types").Ui} ui where it keeps what the page shows: `readers`, `decks`, `deck`, `found`, `told`, `picked`
   * @param {(message: Record<string, unknown>) => boolean} send whether it is on its way
   * @param {() => void} render
   */
  constructor(ui, send, render) {
    Object.assign(ui, { readers: [], decks: {}, deck: [], found: {}, told: {}, picked: null });
    this.ui = ui;
    this.send = send;
    this.render = render;
    this.lastId = 0;
    /** Where each message that is not answered yet was about. @type {Map<string, string>} */
    this.sent = new Map();
    this.lay = this.lay.bind(this);
    this.lift = this.lift.bind(this);
    this.putBack = this.putBack.bind(this);
  }

  /**
   * The newest picture of every reader and hand.
   * @param {Frames["tabletop"]} frame
   */
  take({ readers, hands, deck }) {
    this.ui.readers = readers;
    this.ui.deck = deck;
    this.ui.decks = Object.fromEntries(hands.map(({ seat, cards }) => [seat, cards]));
  }

  /**
   * What a reader said.
   * @param {Frames["tell"]} frame
   */
  tell({ seat, signal, reason }) {
    this.ui.told[seat] = { text: signalWords(signal, reason), bad: isBad(signal) };
  }

  /**
   * An answer; whether it was one to the tabletop.
   * @param {Frames["reply"]} frame
   */
  onReply({ id, ok, reason }) {
    const seat = this.sent.get(id);
    if (seat && !ok) this.ui.told[seat] = { text: reason, bad: true };
    return this.sent.delete(id);
  }

  /** What was asked over a connection that is gone is not answered any more. */
  forget() {
    this.sent.clear();
  }

  /**
   * Move a card or a cable; a refusal is shown at `seat`.
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
    return this.ui.readers.find((/** @type {import("../../core/types").TabletopReader} */ reader) => reader.seat === seat);
  }

  /**
   * Lay a card onto a seat's reader, in place of what lies there; with Shift, beside it.
   * @param {string} tag
   * @param {string} seat
   * @param {{shiftKey: boolean}} event
   */
  lay(tag, seat, event) {
    const { ui } = this;
    const reader = this.readerOf(seat);
    if (!reader || ![...(ui.decks[seat] ?? []), ...ui.deck].some((/** @type {{tag: string}} */ card) => card.tag === tag)) return;
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
   * Turn a card that lies on a reader: its other end lies there.
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
   * Look a card of the deck up by its number, or by its ten.
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

  /** Put the picked card back into the hand; whether there was one. */
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
  click({ card, lift, put, cable, turn, ten, seat = "" }, event) {
    if (turn) this.turn(seat, turn);
    else if (ten) this.find(seat, { ten: this.ui.found[seat]?.ten === ten ? "" : ten });
    else if (card) this.pick(card);
    else if (lift) this.lift(seat, lift);
    else if (put && this.ui.picked) this.lay(this.ui.picked, put, event);
    else if (cable) this.ask({ do: cable, reader: this.readerOf(seat)?.name }, seat);
  }
}
