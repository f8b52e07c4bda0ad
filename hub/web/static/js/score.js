/**
 * The one clock of the moment. Every frame of the hub passes through here: what a reveal shows is
 * told to the page in its order, first the cards as they turn over, then, when the last of them has
 * ended, everything that follows from them. Whoever joins late, comes back from a gap or has fallen
 * behind sees the whole moment at once, never a part of it.
 */

import { hear } from "./clock.js";
import { turnings } from "./turnings.js";

/** A card takes this long to turn over; the next one begins while it still turns. */
export const TURN_MS = 700;
export const NEXT_MS = 450;

/** Further behind than this, a page does not play a reveal any more, but shows what came of it. */
const LATE_MS = 2000;
/** How long a card may be late where the machine is slow. */
const SLOW_MS = 1500;
/** The page bears this class while nothing turns over: what changes then has changed already. */
const STILL = "still";
/** Answers, and what lies on readers, are no news of the moment. */
const AT_ONCE = ["reply", "bench"];
/** Where cards turn over by this clock. */
const STAGE = ".slot, .options";

const root = document.documentElement;

export class Score {
  /**
   * @param {Object} page
   * @param {(state: Object) => void} page.show draws a state in which cards turn over, nothing else
   * @param {(frame: Object) => void} page.tell hears each frame when its time has come
   */
  constructor({ show, tell }) {
    Object.assign(this, { show, tell, heard: [], shown: null, held: null, cut: false });
    root.style.setProperty("--turn", `${TURN_MS}ms`);
    root.classList.add(STILL);
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  /** Whether cards are turning over now. */
  get turning() {
    return this.held !== null;
  }

  /** A frame has come. */
  take(frame) {
    if (frame.type === "event") hear(frame.line.at_ms);
    if (AT_ONCE.includes(frame.type)) return this.tell(frame);
    this.heard.push({ frame, at: performance.now() });
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
      if (last < 0) return;
      const { frame, at } = this.heard[last];
      const cues = frame.type === "state" && this.isInTime(at) ? turnings(this.shown, frame) : [];
      if (cues.length) return this.turn(cues);
      this.told(last + 1);
    }
  }

  /** Whether a frame waits for the state that what happened before it has led to. */
  leadsTo(frame) {
    return frame.type === "event" || this.heard[0].frame.type === "event";
  }

  isInTime(at) {
    return !document.hidden && performance.now() - at < LATE_MS;
  }

  told(count) {
    for (const { frame } of this.heard.splice(0, count)) {
      if (frame.type === "state") this.shown = frame;
      this.tell(frame);
    }
  }

  /** Turn cards over, one cue after the other, and go on when the last one lies. */
  turn(cues) {
    this.held = { timers: [], ends: performance.now() + (cues.length - 1) * NEXT_MS + TURN_MS };
    root.classList.remove(STILL);
    cues.forEach((cue, at) => {
      if (at) this.held.timers.push(setTimeout(() => this.show(cue), at * NEXT_MS));
      else this.show(cue);
    });
    this.wait(this.held.ends - performance.now());
  }

  wait(ms) {
    this.held.timers.push(setTimeout(() => this.look(), ms));
  }

  /** The time is up: but on a slow machine cards may have begun to turn later. */
  look() {
    const left = document.hidden || performance.now() > this.held.ends + SLOW_MS ? 0 : stillTurning();
    if (left > 0) this.wait(left);
    else this.end();
  }

  /** The moment is over: everything that was held back is told. */
  end() {
    if (this.held) {
      this.held.timers.forEach(clearTimeout);
      this.held = null;
      root.classList.add(STILL);
      const state = this.heard.findIndex(({ frame }) => frame.type === "state");
      this.told(state + 1);
    }
    this.play();
  }

  /** Whoever was away sees how it stands. */
  hurry() {
    if (this.turning && (document.hidden || performance.now() > this.held.ends)) this.end();
  }
}

/** How long until the last card lies that is turning now, in ms. */
function stillTurning() {
  const turning = document.getAnimations().filter(({ effect, playState }) =>
    playState === "running" && effect.target?.matches(".leaf") && effect.target.closest(STAGE));
  const left = ({ effect, currentTime }) => effect.getComputedTiming().endTime - Number(currentTime);
  return Math.max(0, ...turning.map(left));
}
