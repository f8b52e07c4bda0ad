/**
 * The cards sealed from this tab. The hub only tells a seat's page that a card is sealed, by its
 * digest, and never which card: only the player who sealed it knows. So a tab remembers the card of
 * each digest, and recognises it after a reload or a gap. It forgets cards that have gone; other
 * tabs and browsers know nothing of them.
 */

const MOST = 40;
/** Events that seal a card for the step, or beside it. */
const SEALS = ["committed", "set-beside"];

/** @typedef {import("../../core/types").Actor} Actor */
/** @typedef {import("../../core/types").Line} Line */

export class Own {
  /** @param {string} seat */
  constructor(seat) {
    this.name = `facedown.own.${seat}`;
    this.origin = `page:${seat}`;
    /** Digest → card. @type {Map<string, string>} */
    this.cards = new Map(stored(this.name));
    /**
     * The seals told by the log, newest last.
     * @type {Array<{seq: number, actor: string, digest: string}>}
     */
    this.lines = [];
    /**
     * Cards sealed from here whose log line is still to come.
     * @type {Array<{actor: string, choice: string, since: number, seq: number}>}
     */
    this.done = [];
  }

  /**
   * Handle a line of the log.
   * @param {Line} line
   */
  onLine(line) {
    if (!SEALS.includes(line.type) || line.origin !== this.origin) return;
    this.lines = [...this.lines, { seq: line.seq, actor: line.actor, digest: line.digest }].slice(-MOST);
    this.match();
  }

  /**
   * A press sealed a card: its line is the last seal between these two records.
   * @param {string} actor
   * @param {string} choice
   * @param {{since?: number, seq?: number}} outcome
   */
  sealed(actor, choice, { since = Infinity, seq = 0 }) {
    this.done = [...this.done, { actor, choice, since, seq }].slice(-MOST);
    this.match();
  }

  match() {
    for (const { actor, choice, since, seq } of this.done) {
      const line = this.lines.findLast((one) => one.actor === actor && one.seq > since && one.seq <= seq);
      if (line) this.cards.set(line.digest, choice);
    }
    this.done = this.done.filter(
      ({ actor, since, seq }) => !this.lines.some((one) => one.actor === actor && one.seq > since && one.seq <= seq),
    );
    this.save();
  }

  /**
   * Report the known cards among those on the table, and forget all others.
   * @param {Actor[]} actors
   * @param {Map<string, string>} own actor → card sealed for the step
   * @param {import("../../core/besides.js").Besides} besides
   */
  onHand(actors, own, besides) {
    const lying = new Set(
      actors.flatMap(({ seal, besides: lie }) => [...(seal ? [seal] : []), ...lie]).map(({ digest }) => digest),
    );
    for (const digest of this.cards.keys()) if (!lying.has(digest)) this.cards.delete(digest);
    this.save();
    for (const { name, seal, besides: lie } of actors) {
      const card = seal && this.cards.get(seal.digest);
      if (card) own.set(name, card);
      for (const { digest } of lie) {
        const beside = this.cards.get(digest);
        if (beside) besides.lies(name, beside);
      }
    }
  }

  save() {
    try {
      if (this.cards.size) sessionStorage.setItem(this.name, JSON.stringify([...this.cards]));
      else sessionStorage.removeItem(this.name);
    } catch {
      // Without storage the cards are known until the page is reloaded.
    }
  }
}

/**
 * @param {string} name
 * @returns {Array<[string, string]>}
 */
function stored(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}
