/**
 * Sends commands at most once, however often a button is pressed or the connection breaks: each has
 * a random id that the hub remembers, and is sent again with that id until it is answered.
 */

import { samePhase } from "./besides.js";
import { knows, t } from "./texts.js";

const ID_BYTES = 16;
const AGAIN_MS = 8000;
/** Blocks the second click of a double click, which often follows the first one's answer. */
const REST_MS = 400;
/** The hub's limit for one message, and the close code of a socket that exceeded it. */
const MOST_BYTES = 8192;
const TOO_LONG = 1009;
/** Places of buttons that answer the table, and of those that undo an entry of a list. */
const ANSWERS = /^(do )?(decide|commit|take-back|let-be)\b/;
const UNDOES = /^(do )?undo\b/;
/** Previews to keep. */
const MOST_PREVIEWS = 8;
const KEPT = `facedown-unanswered:${location.pathname}`;

/** @typedef {import("./types").Command} Command */
/** @typedef {import("./types").Outcome} Outcome */
/** @typedef {{version?: import("./types").Version, seq?: number}} Drawn the part of a state that a command refers to */

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export class Commander {
  /**
   * @param {{send: (message: Record<string, unknown>) => boolean}} connection
   * @param {{onChange?: () => void}} [hooks] `onChange` asks the page to redraw
   */
  constructor(connection, { onChange = () => {} } = {}) {
    this.connection = connection;
    this.onChange = onChange;
    this.open = false;
    /** @type {import("./types").Version|null} */
    this.version = null;
    /** @type {Outcome|null} the newest answer */
    this.outcome = null;
    /** @type {Map<string, Command>} place → command without an answer yet */
    this.unanswered = new Map(remembered());
    /** @type {Map<string, number>} */
    this.resting = new Map();
    /** The newest record that the page shows, and the one it showed at each command. */
    this.seq = Infinity;
    /**
     * The newest state received. During a reveal an older one is still shown.
     * @type {Drawn|null}
     */
    this.come = null;
    /** @type {Map<string, number>} */
    this.since = new Map();
    /**
     * Preview id → answer, newest last; null until it is answered.
     * @type {Map<string, import("./types").Frames["preview"]|null>}
     */
    this.previews = new Map();
    setInterval(() => this.sendAgain(), AGAIN_MS);
  }

  /**
   * Give a command.
   * @param {Command} command without its id
   * @param {string} place names the control; it is disabled until the answer
   * @returns {boolean} whether it was sent
   */
  press(command, place) {
    if (this.pending(place)) return false;
    const full = { ...command, id: newId(), ...(this.version && { version: this.version }) };
    const message = { do: "command", command: full };
    this.rest(place);
    if (bytesOf(message) > MOST_BYTES) return this.refuse(place, "long");
    if (!this.open || !this.connection.send(message)) return this.refuse(place, "unsent");
    this.outcome = null;
    this.since.set(place, this.seq);
    this.unanswered.set(place, full);
    this.remember();
    this.onChange();
    return true;
  }

  /**
   * Ask what a command would change, without doing it. The answer is a `preview` frame.
   * @param {Command} command
   * @returns {string} the id that the answer will have; empty if nothing was sent
   */
  preview(command) {
    const id = newId();
    const message = { do: "preview", command: { ...command, id } };
    if (!this.open || bytesOf(message) > MOST_BYTES || !this.connection.send(message)) return "";
    this.keep(id, null);
    return id;
  }

  /** @param {import("./types").Frames["preview"]} frame */
  onPreview(frame) {
    if (this.previews.has(frame.id)) this.keep(frame.id, frame);
  }

  /**
   * The answer to a preview by its id; null while there is none.
   * @param {string} id
   */
  answerTo(id) {
    const answer = this.previews.get(id) ?? null;
    if (answer) this.keep(id, answer);
    return answer;
  }

  /**
   * Whether a preview was requested and is answered or pending.
   * @param {string} id
   */
  hasAsked(id) {
    return this.previews.has(id);
  }

  /**
   * @param {string} id
   * @param {import("./types").Frames["preview"]|null} answer
   */
  keep(id, answer) {
    this.previews.delete(id);
    this.previews.set(id, answer);
    const [oldest = ""] = this.previews.keys();
    if (this.previews.size > MOST_PREVIEWS) this.previews.delete(oldest);
  }

  /**
   * Request a frame that the hub sends only on demand.
   * @param {string} what the frame's type
   */
  ask(what) {
    return this.open && this.connection.send({ do: what });
  }

  /**
   * Report a press that was not sent.
   * @param {string} place
   * @param {string} code
   */
  refuse(place, code) {
    this.outcome = { place, ok: false, code, reason: "" };
    this.onChange();
    return false;
  }

  /**
   * Whether the control at this place is disabled for now.
   * @param {string} place
   */
  pending(place) {
    return this.unanswered.has(place) || this.resting.has(place) || this.isPast(place);
  }

  /**
   * Whether a button refers to something outdated: a newer state has arrived and will be shown
   * soon.
   * @param {string} place
   */
  isPast(place) {
    const { come } = this;
    if (!come) return false;
    if (UNDOES.test(place)) return come.seq !== this.seq;
    return ANSWERS.test(place) && !samePhase(come.version, this.version);
  }

  /**
   * A state has arrived; it may be shown later.
   * @param {Drawn} state
   */
  onNews({ version, seq = Infinity }) {
    this.come = { version, seq };
  }

  /**
   * Handle the answer to a command; ignore any other.
   * @param {import("./types").Frames["reply"]} frame
   */
  onReply(frame) {
    const all = [...this.unanswered];
    // An unreadable message is answered without an id; answers come in the order of the messages.
    const [place] = all.find(([, command]) => command.id === frame.id || !frame.id) ?? [];
    if (place === undefined) return false;
    this.unanswered.delete(place);
    this.remember();
    const code = frame.code || (frame.ok ? "done" : "illegal");
    const since = this.since.get(place) ?? Infinity;
    this.outcome = { place, ok: frame.ok, code, reason: frame.reason ?? "", why: frame.why, since, seq: frame.seq };
    this.onChange();
    return true;
  }

  /**
   * Note the drawn state, which the next command refers to.
   * @param {Drawn} state
   */
  onState(state) {
    this.version = state.version ?? null;
    this.seq = state.seq ?? Infinity;
  }

  /**
   * Handle the connection's status. Unanswered commands are sent again once it is open, unless the
   * hub closed the last connection because of their size: they would end the next one as well.
   * @param {string} status
   * @param {number} [code] close code of the socket
   */
  onStatus(status, code) {
    this.open = status === "open";
    // Pending previews are never answered over a new connection.
    if (!this.open) for (const [id, answer] of this.previews) if (!answer) this.previews.delete(id);
    if (code === TOO_LONG) this.drop();
    this.sendAgain();
  }

  /** Give up all unanswered commands. */
  drop() {
    const [place] = this.unanswered.keys();
    this.unanswered.clear();
    this.remember();
    if (place !== undefined) this.refuse(place, "long");
  }

  /** Send unanswered commands again. They keep their ids, so none is done twice. */
  sendAgain() {
    if (!this.open) return;
    for (const command of this.unanswered.values()) this.connection.send({ do: "command", command });
  }

  /** @param {string} place */
  rest(place) {
    clearTimeout(this.resting.get(place));
    const wake = () => {
      this.resting.delete(place);
      this.onChange();
    };
    this.resting.set(place, setTimeout(wake, REST_MS));
  }

  /** Keep unanswered commands over a reload. */
  remember() {
    try {
      if (this.unanswered.size) sessionStorage.setItem(KEPT, JSON.stringify([...this.unanswered]));
      else sessionStorage.removeItem(KEPT);
    } catch {
      // Without storage, commands are still sent again while the page is open.
    }
  }
}

/** @param {unknown} message */
const bytesOf = (message) => new TextEncoder().encode(JSON.stringify(message)).length;

/** @returns {Array<[string, Command]>} */
function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * An outcome in words; empty if there is none.
 * @param {Outcome|null} outcome
 */
export function outcomeWords(outcome) {
  if (!outcome) return "";
  const key = `reply.${outcome.code}`;
  return t(knows(key) ? key : "reply.failed", { reason: outcome.reason }).trim();
}

/**
 * The place of a button, from its command.
 * @param {{command: string, actor?: string, choice?: string}} said
 */
export const placeOf = ({ command, actor = "", choice = "" }) => [command, actor, choice].filter(Boolean).join(" ");

/**
 * The value of `aria-disabled` for a button whose command may be pending.
 * @param {import("./types").Ui} ui
 * @param {{command: string, actor?: string, choice?: string}} data
 */
export const waits = (ui, data) => (ui.pending?.(placeOf(data)) ? "true" : null);
