/**
 * The one clock of the moment. Every frame of the hub passes through here: what a reveal shows is
 * told to the page in its order, first the cards as they turn over, then, when the moment is over,
 * everything that follows from them. Whoever joins in the middle of it, comes back from a gap or
 * looks away is held to the same clock.
 */

import { askTime, hear } from "./clock.js";
import { gameOf } from "./game.js";

/** A card takes this long to turn over; the next one begins while it still turns. */
export const TURN_MS = 700;
export const NEXT_MS = 450;
/** From a reveal until what follows from it shows, on every page. The hub counts it too. */
export const MOMENT_MS = 1500;

/** Further behind than this, a page does not play a reveal any more, but shows what came of it. */
const LATE_MS = 2000;
/** How long a card may be late where the machine is slow. */
const SLOW_MS = 1500;
/** The page bears this class while nothing turns over: what changes then has changed already. */
const STILL = "still";
/** Answers, and what lies on readers, are no news of the moment. */
const AT_ONCE = ["reply", "tabletop"];
/** Where cards turn over by this clock. */
const STAGE = ".slot, .options";

const root = document.documentElement;

/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").StateFrame} StateFrame */

export class Score {
  /**
   * @param {Object} page
   * @param {(frame: StateFrame) => void} page.show draws a state in which cards turn over, nothing else
   * @param {(frame: Frame) => void} page.tell hears each frame when its time has come
   */
  constructor({ show, tell }) {
    this.show = show;
    this.tell = tell;
    /** @type {Array<{frame: Frame, at: number, joins: boolean}>} */
    this.heard = [];
    /** The newest state that was told. @type {StateFrame|null} */
    this.shown = null;
    /** The moment that is played now. @type {{timers: number[], ends: number}|null} */
    this.held = null;
    this.cut = false;
    this.joins = true;
    root.style.setProperty("--turn", `${TURN_MS}ms`);
    root.classList.add(STILL);
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  /** Whether a moment is being played now. */
  get turning() {
    return this.held !== null;
  }

  /** The stream begins anew, with how the table stands: what was still to be told is in that. */
  join() {
    this.stop();
    Object.assign(this, { heard: [], joins: true });
  }

  /**
   * A frame has come.
   * @param {Frame} frame
   */
  take(frame) {
    if (frame.type === "event") hear(frame.line.at_ms);
    if (frame.type === "state" && frame.timer) askTime();
    if (AT_ONCE.includes(frame.type)) return this.tell(frame);
    this.heard.push({ frame, at: performance.now(), joins: this.joins });
    if (frame.type === "state") this.joins = false;
    // What is undone is not played to its end, nor shown for the blink before it is gone.
    this.cut ||= frame.type === "event" && frame.line.type === "undone";
    if (!this.cut) return this.play();
    if (frame.type !== "state") return;
    this.cut = false;
    this.end();
  }

  /** Tell what has come, up to the next reveal. What happened is told with the state that it led to. */
  play() {
    while (!this.turning) {
      const last = this.heard.findIndex(({ frame }) => frame.type === "state" || !this.leadsTo(frame));
      if (last < 0 || this.begins(this.heard[last])) return;
      this.told(last + 1);
    }
  }

  /**
   * Whether a frame waits for the state that what happened before it has led to.
   * @param {Frame} frame
   */
  leadsTo(frame) {
    return frame.type === "event" || this.heard[0].frame.type === "event";
  }

  /**
   * Begin a moment, if a frame brings one. To a page that joins the hub says what is left of it, in
   * `moment_ms`; else it has just begun, though the page may not have come to it yet.
   * @param {{frame: Frame, at: number, joins: boolean}} heard
   */
  begins({ frame, at, joins }) {
    if (frame.type !== "state") return false;
    const now = performance.now();
    const cues = gameOf(frame).turnings(this.shown, frame);
    if (frame.moment_ms !== undefined) return this.turn(cues, at + frame.moment_ms - MOMENT_MS, at + frame.moment_ms);
    const isReveal = cues.length > 0 || (frame.revealed_at ?? null) !== (this.shown?.revealed_at ?? null);
    if (joins || !isReveal || now - at > LATE_MS) return false;
    return this.turn(cues, now, Math.max(at + MOMENT_MS, now + lengthOf(cues)));
  }

  /** @param {number} count */
  told(count) {
    for (const { frame } of this.heard.splice(0, count)) {
      if (frame.type === "state") this.shown = frame;
      this.tell(frame);
    }
  }

  /**
   * Turn cards over, one cue after the other, and go on when the moment is over.
   * @param {StateFrame[]} cues
   * @param {number} begins when the first one does, by the page's steady clock (ms)
   * @param {number} ends
   * @returns {boolean} whether there is anything left of it
   */
  turn(cues, begins, ends) {
    const now = performance.now();
    if (now >= ends) return false;
    const held = (this.held = { timers: /** @type {number[]} */ ([]), ends });
    root.classList.remove(STILL);
    const next = cues.findIndex((_, at) => begins + at * NEXT_MS > now);
    const ahead = next < 0 ? [] : cues.slice(next);
    const turned = cues[cues.length - ahead.length - 1];
    if (turned) this.show(turned);
    for (const [at, cue] of ahead.entries()) {
      held.timers.push(setTimeout(() => this.show(cue), begins + (next + at) * NEXT_MS - now));
    }
    this.wait(ends - now);
    return true;
  }

  /** @param {number} ms */
  wait(ms) {
    this.held?.timers.push(setTimeout(() => this.look(), ms));
  }

  /** The time is up: but on a slow machine cards may have begun to turn later. */
  look() {
    const left = document.hidden || !this.held || performance.now() > this.held.ends + SLOW_MS ? 0 : stillTurning();
    if (left > 0) this.wait(left);
    else this.end();
  }

  /** The moment is over: everything that was held back is told. */
  end() {
    if (this.stop()) {
      const state = this.heard.findIndex(({ frame }) => frame.type === "state");
      this.told(state + 1);
    }
    this.play();
  }

  /** No card turns any more; whether one did. */
  stop() {
    const { held } = this;
    held?.timers.forEach((timer) => clearTimeout(timer));
    this.held = null;
    root.classList.add(STILL);
    return held !== null;
  }

  /** Time has stood still for a page that nobody saw: is the moment over? */
  hurry() {
    if (this.held && performance.now() > this.held.ends) this.look();
  }
}

/**
 * How long cards take to turn over, in ms.
 * @param {StateFrame[]} cues
 */
const lengthOf = (cues) => (cues.length ? (cues.length - 1) * NEXT_MS + TURN_MS : 0);

/** How long until the last card lies that is turning now, in ms. */
function stillTurning() {
  const turning = document.getAnimations().filter(({ effect, playState }) =>
    playState === "running" && effect instanceof KeyframeEffect && effect.target?.matches(".leaf") && effect.target.closest(STAGE));
  /** @param {Animation} animation */
  const left = ({ effect, currentTime }) => Number(effect?.getComputedTiming().endTime) - Number(currentTime);
  return Math.max(0, ...turning.map(left));
}
