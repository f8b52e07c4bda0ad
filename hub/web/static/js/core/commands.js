/**
 * Commands that are done at most once, however often a button is pressed and whenever the
 * connection breaks: each has a random id that the hub remembers, and is sent again with the same
 * one until it is answered.
 */

import { samePhase } from "./besides.js";
import { knows, t } from "./texts.js";

const ID_BYTES = 16;
const AGAIN_MS = 8000;
/** The second half of a double click comes within this, often after the answer to the first. */
const REST_MS = 400;
/** What the hub takes of one message; and how a socket says that it was more. */
const MOST_BYTES = 8192;
const TOO_LONG = 1009;
/** Places of buttons that answer what the table asks, and of those that take back what a list says. */
const ANSWERS = /^(do )?(decide|commit|take-back|let-be)\b/;
const UNDOES = /^(do )?undo\b/;
/** Answers to what a command would change, that are kept. */
const MOST_PREVIEWS = 8;
const KEPT = `facedown-unanswered:${location.pathname}`;

/** @typedef {import("./types").Command} Command */
/** @typedef {import("./types").Outcome} Outcome */
/** @typedef {{version?: import("./types").Version, seq?: number}} Drawn what of a state a command builds on */

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export class Commander {
  /**
   * @param {{send: (message: Record<string, unknown>) => boolean}} connection
   * @param {{onChange?: () => void}} [hooks] `onChange` is called when the page should be redrawn
   */
  constructor(connection, { onChange = () => {} } = {}) {
    this.connection = connection;
    this.onChange = onChange;
    this.open = false;
    /** @type {import("./types").Version|null} */
    this.version = null;
    /** @type {Outcome|null} the newest answer */
    this.outcome = null;
    /** @type {Map<string, Command>} from a place to the command that is not answered yet */
    this.unanswered = new Map(remembered());
    /** @type {Map<string, number>} */
    this.resting = new Map();
    /** The newest record that a page showed, and what it showed when a command was given. */
    this.seq = Infinity;
    /** The newest state that has come: while cards turn over or tokens go, another one is shown. @type {Drawn|null} */
    this.come = null;
    /** @type {Map<string, number>} */
    this.since = new Map();
    /** What was asked of commands that are not given yet, newest last; null until it is answered. @type {Map<string, import("./types").Frames["preview"]|null>} */
    this.previews = new Map();
    setInterval(() => this.sendAgain(), AGAIN_MS);
  }

  /**
   * Give a command.
   * @param {Command} command without its id
   * @param {string} place names the control; while it waits for an answer it is not pressed again
   * @returns {boolean} whether it is on its way
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
   * Ask what a command would change; nothing is done. The answer is a frame `preview`.
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
   * The answer to one of several that have asked; null as long as there is none.
   * @param {string} id
   */
  answerTo(id) {
    const answer = this.previews.get(id) ?? null;
    if (answer) this.keep(id, answer);
    return answer;
  }

  /**
   * Whether this was asked, and is answered or can be yet.
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
   * Ask for what is told to nobody by itself. The answer is a frame called so.
   * @param {string} what
   */
  ask(what) {
    return this.open && this.connection.send({ do: what });
  }

  /**
   * A press that nothing was sent of.
   * @param {string} place
   * @param {string} code
   */
  refuse(place, code) {
    this.outcome = { place, ok: false, code, reason: "" };
    this.onChange();
    return false;
  }

  /**
   * Whether the control of this place was pressed and has to wait.
   * @param {string} place
   */
  pending(place) {
    return this.unanswered.has(place) || this.resting.has(place) || this.isPast(place);
  }

  /**
   * Whether a button of this place stands there still, but what it answers, or what it would take
   * back, is not so any more: what came after that is about to be shown.
   * @param {string} place
   */
  isPast(place) {
    const { come } = this;
    if (!come) return false;
    if (UNDOES.test(place)) return come.seq !== this.seq;
    return ANSWERS.test(place) && !samePhase(come.version, this.version);
  }

  /**
   * A state has come; it may be shown later.
   * @param {Drawn} state
   */
  onNews({ version, seq = Infinity }) {
    this.come = { version, seq };
  }

  /**
   * The answer to a command. A frame that answers something else is left alone.
   * @param {import("./types").Frames["reply"]} frame
   */
  onReply(frame) {
    const all = [...this.unanswered];
    // What could not be read has no id to give back; answers come in the order of what was sent.
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
   * Keep what the next command builds on: the state that is drawn.
   * @param {Drawn} state
   */
  onState(state) {
    this.version = state.version ?? null;
    this.seq = state.seq ?? Infinity;
  }

  /**
   * The connection's status; once it is open, whatever was not answered is sent again. What the hub
   * found too long is not: it would end the next connection as well.
   * @param {string} status
   * @param {number} [code] that the socket was closed with
   */
  onStatus(status, code) {
    this.open = status === "open";
    // Nobody answers over the next connection what was asked over this one.
    if (!this.open) for (const [id, answer] of this.previews) if (!answer) this.previews.delete(id);
    if (code === TOO_LONG) this.drop();
    this.sendAgain();
  }

  /** Give up what is not answered. */
  drop() {
    const [place] = this.unanswered.keys();
    this.unanswered.clear();
    this.remember();
    if (place !== undefined) this.refuse(place, "long");
  }

  /** Send again what has no answer yet. It has its first id: what is done is not done twice. */
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

  /** A reload forgets the page, not what it has asked for. */
  remember() {
    try {
      if (this.unanswered.size) sessionStorage.setItem(KEPT, JSON.stringify([...this.unanswered]));
      else sessionStorage.removeItem(KEPT);
    } catch {
      // A browser that keeps nothing still sends again as long as the page is open.
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
 * An outcome in words; empty while there is none.
 * @param {Outcome|null} outcome
 */
export function outcomeWords(outcome) {
  if (!outcome) return "";
  const key = `reply.${outcome.code}`;
  return t(knows(key) ? key : "reply.failed", { reason: outcome.reason }).trim();
}

/**
 * The place that the commander knows a button by, from what it says.
 * @param {{command: string, actor?: string, choice?: string}} said
 */
export const placeOf = ({ command, actor = "", choice = "" }) => [command, actor, choice].filter(Boolean).join(" ");

/**
 * What `aria-disabled` is for a button whose press may be on its way.
 * @param {import("./types").Ui} ui
 * @param {{command: string, actor?: string, choice?: string}} data
 */
export const waits = (ui, data) => (ui.pending?.(placeOf(data)) ? "true" : null);
