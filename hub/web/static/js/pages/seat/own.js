/**
 * Which cards this tab has sealed. The hub tells a seat's page that a card lies there, by the digest of its
 * seal, and never which one: that alone who sealed it knows. So a tab notes for itself which card a
 * digest stands for, and after a reload or a gap knows again what lies there. What does not lie there any
 * more is forgotten; another browser, or another tab, knows none of it.
 */

const MOST = 40;
/** What seals a card for the step, and one beside it. */
const SEALS = ["committed", "set-beside"];

/** @typedef {import("../../core/types").Actor} Actor */
/** @typedef {import("../../core/types").Line} Line */

export class Own {
  /** @param {string} seat */
  constructor(seat) {
    this.name = `facedown.own.${seat}`;
    this.origin = `page:${seat}`;
    /** The card of each digest. @type {Map<string, string>} */
    this.cards = new Map(stored(this.name));
    /** The seals that were heard of, the newest last. @type {Array<{seq: number, actor: string, digest: string}>} */
    this.lines = [];
    /** What was sealed from here, until its line is heard. @type {Array<{actor: string, choice: string, since: number, seq: number}>} */
    this.done = [];
  }

  /**
   * A line of the log was told.
   * @param {Line} line
   */
  onLine(line) {
    if (!SEALS.includes(line.type) || line.origin !== this.origin) return;
    this.lines = [...this.lines, { seq: line.seq, actor: line.actor, digest: line.digest }].slice(-MOST);
    this.match();
  }

  /**
   * A press that sealed a card was answered: it lies there by the last seal between these two records.
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
    this.done = this.done.filter(({ actor, since, seq }) => !this.lines.some((one) => one.actor === actor && one.seq > since && one.seq <= seq));
    this.save();
  }

  /**
   * What lies there now: what is known of it goes to those who show it, all else is forgotten.
   * @param {Actor[]} actors
   * @param {Map<string, string>} own from an actor to the card that is sealed for the step
   * @param {import("../../core/besides.js").Besides} besides
   */
  onHand(actors, own, besides) {
    const lying = new Set(actors.flatMap(({ seal, besides: lie }) => [...(seal ? [seal] : []), ...lie]).map(({ digest }) => digest));
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
      // A browser that keeps nothing knows its cards until the page is loaded again.
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
