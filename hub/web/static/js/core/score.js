/**
 * The timing of reveals. Every frame of the hub passes through here. Events are told to the page in
 * order; a reveal is played as a score, cue after cue, and later frames are held back until it is
 * over. A page that joins late, reconnects or was hidden follows the same clock.
 */

import { askTime, hear } from "./clock.js";
import { gameOf } from "./game.js";

/** The duration of a card's turn, and the delay until the next one begins. */
export const TURN_MS = 700;
export const NEXT_MS = 450;
/**
 * The least and greatest time from a reveal until its consequences are shown, on every page. The
 * hub also knows the greatest.
 */
export const MOMENT_MS = 1500;
export const LONGEST_MS = 4000;

/**
 * By cue: how long it holds the stage, the delay until the next of the same name, and the most time
 * from the first of these to the last (ms).
 * @type {Record<string, {lasts: number, next: number, most: number}>}
 */
const SCORE = {
  turn: { lasts: MOMENT_MS - NEXT_MS, next: NEXT_MS, most: 3 * NEXT_MS },
  dice: { lasts: 800, next: 200, most: 800 },
  strike: { lasts: 550, next: 400, most: 800 },
  verdict: { lasts: 500, next: 0, most: 0 },
  term: { lasts: 350, next: 200, most: 800 },
  loss: { lasts: 400, next: 110, most: 800 },
  "knock-out": { lasts: 500, next: 200, most: 400 },
};

/** A page further behind than this skips the reveal and shows its result. */
const LATE_MS = LONGEST_MS + 1000;
/** Pause before a reveal that cuts another short, so that the page can draw the latter's end. */
const BREATH_MS = 150;
/** How much longer to wait for cards that still turn on a slow machine. */
const SLOW_MS = 1500;
/** A cue later than this is shown, but listeners are not called. */
const STALE_MS = 400;
/** The page's class while nothing turns: changes are then shown without animation. */
const STILL = "still";
/** Frames that are not part of the moment. */
const AT_ONCE = ["reply", "tabletop", "sound", "lights", "where"];
/** Elements whose cards are turned by this clock. */
const STAGE = ".fan, .slot, .options";

const root = document.documentElement;

/** @typedef {import("./types").Beat} Beat */
/** @typedef {import("./types").Cue} Cue */
/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").StateFrame} StateFrame */

/** @type {Set<(name: string, detail: Record<string, unknown>) => void>} */
const listeners = new Set();

/**
 * Call `listener` at each cue: `sealed` (`name`), `all-sealed`, `roll` while sealed cards wait for
 * their reveal (`until`, an ISO time), and those of a reveal: `turn` (`kind`, `name`, `value`),
 * `dice` (`name`, `dice`), `strike` (`name`, `special`), `verdict` (`winner`, null at a tie),
 * `term` (`value`, `total` so far), `loss` (`name`, `type`, `left`), `knock-out` (`name`). A page
 * that joins late gets only the remaining ones.
 * @param {(name: string, detail: Record<string, unknown>) => void} listener
 * @returns {() => void} removes the listener
 */
export function onCue(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} [detail]
 */
const call = (name, detail = {}) => listeners.forEach((listener) => listener(name, detail));

/**
 * Compute a score: each beat with its time from the start, and the total duration (ms). A long
 * score is sped up, except its cards.
 * @param {Beat[]} beats
 */
export function scoreOf(beats) {
  /** The number of beats with the same cue. @param {number} nth */
  const alike = (nth) => beats.filter(({ cue }) => cue === beats[nth].cue).length;
  /** @param {number} nth */
  const gap = (nth) => Math.min(SCORE[beats[nth].cue].next, SCORE[beats[nth].cue].most / Math.max(1, alike(nth) - 1));
  const gaps = beats.map(({ cue }, nth) => (beats[nth + 1]?.cue === cue ? gap(nth) : SCORE[cue].lasts));
  /** @param {number[]} some */
  const sum = (some) => some.reduce((all, one) => all + one, 0);
  const cards = beats.filter(({ cue }) => cue === "turn").length;
  const [turning, rest] = [sum(gaps.slice(0, cards)), sum(gaps.slice(cards))];
  const pace = Math.min(1, (LONGEST_MS - turning) / Math.max(1, rest));
  const at = gaps.map(
    (_, nth) => sum(gaps.slice(0, Math.min(nth, cards))) + pace * sum(gaps.slice(cards, Math.max(nth, cards))),
  );
  return { beats: beats.map((beat, nth) => ({ ...beat, at: at[nth] })), ends: turning + pace * rest };
}

export class Score {
  /**
   * @param {Object} page
   * @param {(frame: StateFrame) => void} page.show draws a state during a reveal, nothing else
   * @param {(frame: Frame) => void} page.tell gets each frame when its time has come
   * @param {boolean} [page.asks] whether the page shows questions already before the last cue has
   *   faded
   */
  constructor({ show, tell, asks = false }) {
    this.show = show;
    this.tell = tell;
    this.asks = asks;
    /** @type {Array<{frame: Frame, at: number, joins: boolean, undone: boolean}>} */
    this.heard = [];
    /** The newest state that was told. @type {StateFrame|null} */
    this.shown = null;
    /**
     * The moment being played, with its remaining beats.
     * @type {{beats: Array<Beat & {at: number}>, begins: number, ends: number, timer: number}|null}
     */
    this.held = null;
    this.cut = false;
    this.joins = true;
    /** Delay before the next moment begins (ms). */
    this.breath = 0;
    root.style.setProperty("--turn", `${TURN_MS}ms`);
    root.classList.add(STILL);
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  /** Whether a moment is being played. */
  get turning() {
    return this.held !== null;
  }

  /** The stream starts over with the current state, which includes everything not told yet. */
  join() {
    this.stop();
    Object.assign(this, { heard: [], joins: true, cut: false });
  }

  /**
   * Handle a frame that has arrived.
   * @param {Frame} frame
   */
  take(frame) {
    if (frame.type === "event") hear(frame.line.at_ms);
    if (frame.type === "state" && frame.timer) askTime();
    if (AT_ONCE.includes(frame.type)) return this.tell(frame);
    // Stop a reveal that is undone, and do not show undone states even briefly.
    this.cut ||= frame.type === "event" && frame.line.type === "undone";
    if (frame.type === "state") this.overtake(frame);
    this.heard.push({ frame, at: performance.now(), joins: this.joins, undone: this.cut });
    if (frame.type === "state") this.joins = false;
    if (!this.cut) return this.play();
    if (frame.type !== "state") return;
    this.cut = false;
    this.stop();
    this.told(this.heard.length);
  }

  /**
   * Tell the held frames up to the next reveal; events only together with the state that they led
   * to.
   */
  play() {
    while (!this.turning) {
      const last = this.heard.findIndex(({ frame }) => frame.type === "state" || !this.leadsTo(frame));
      if (last < 0 || this.begins(this.heard[last])) return;
      this.told(last + 1);
    }
  }

  /**
   * Whether a frame has to wait for the state that the events before it led to.
   * @param {Frame} frame
   */
  leadsTo(frame) {
    return frame.type === "event" || this.heard[0].frame.type === "event";
  }

  /**
   * Cut the moment short when a new reveal arrives.
   * @param {StateFrame} frame
   */
  overtake(frame) {
    const states = this.heard.map(({ frame: each }) => each.type === "state");
    const last = states.lastIndexOf(true);
    if (!this.turning || !isReveal(/** @type {StateFrame} */ (this.heard[last].frame), frame)) return;
    this.stop();
    this.told(last + 1);
    this.breath = BREATH_MS;
  }

  /**
   * Begin a moment if the frame brings one. For a page that joins, the hub says in
   * `revealed_ago_ms` how long ago it began; otherwise it begins now.
   * @param {{frame: Frame, at: number, joins: boolean, undone: boolean}} heard
   */
  begins({ frame, at, joins, undone }) {
    if (frame.type !== "state" || undone) return false;
    const now = performance.now();
    const reveal = isReveal(this.shown, frame);
    const { beats, ends } = scoreOf(gameOf(frame).beats(this.shown, frame));
    const over = this.asks ? (beats.at(-1)?.at ?? 0) : ends;
    const lasts = reveal ? Math.max(MOMENT_MS, over) : over;
    const ago = frame.revealed_ago_ms;
    // Without the state before it, the length is unknown.
    if (ago !== undefined)
      return reveal && this.perform(beats, at - ago, at - ago + (beats.length ? lasts : LONGEST_MS));
    if (joins || now - at > LATE_MS || !(beats.length || reveal)) return false;
    if (reveal && this.shown?.phase !== "locked") call("all-sealed");
    const begins = now + this.breath;
    this.breath = 0;
    return this.perform(beats, begins, begins + lasts);
  }

  /** @param {number} count */
  told(count) {
    for (const { frame, joins, undone } of this.heard.splice(0, count)) {
      const before = this.shown;
      if (frame.type === "state") this.shown = frame;
      this.tell(frame);
      if (frame.type === "state" && before && !joins && !undone) callSealed(before, frame);
    }
  }

  /**
   * Play the beats, then continue with the held frames.
   * @param {Array<Beat & {at: number}>} beats
   * @param {number} begins by the page's monotonic clock (ms)
   * @param {number} ends
   * @returns {boolean} whether there is anything left to play
   */
  perform(beats, begins, ends) {
    if (performance.now() >= ends) return false;
    this.held = { beats: [...beats], begins, ends, timer: 0 };
    this.beat();
    return true;
  }

  /** Show the newest due beat, call the listeners, and wait for the next one. */
  beat() {
    const { held } = this;
    if (!held) return;
    const gone = performance.now() - held.begins;
    const next = held.beats.findIndex(({ at }) => at > gone);
    const due = held.beats.splice(0, next < 0 ? held.beats.length : next);
    const newest = due[due.length - 1];
    if (newest) {
      root.classList.remove(STILL);
      this.show(newest.state);
    }
    for (const { cue, detail, at } of due) if (gone - at < STALE_MS) call(cue, detail);
    if (held.beats.length) held.timer = setTimeout(() => this.beat(), held.beats[0].at - gone);
    else this.wait(held.ends - performance.now());
  }

  /** @param {number} ms */
  wait(ms) {
    if (this.held) this.held.timer = setTimeout(() => this.look(), ms);
  }

  /** The time is up, but wait for cards that still turn on a slow machine. */
  look() {
    const left = document.hidden || !this.held || performance.now() > this.held.ends + SLOW_MS ? 0 : stillTurning();
    if (left > 0) this.wait(left);
    else this.end();
  }

  /** End the moment and tell what was held back. */
  end() {
    if (this.stop()) {
      const state = this.heard.findIndex(({ frame }) => frame.type === "state");
      this.told(state + 1);
    }
    this.play();
  }

  /** Stop the moment; return whether one was being played. */
  stop() {
    const { held } = this;
    clearTimeout(held?.timer);
    this.held = null;
    root.classList.add(STILL);
    return held !== null;
  }

  /** Catch up when the page is visible again: browsers delay the timers of hidden pages. */
  hurry() {
    if (!this.held) return;
    clearTimeout(this.held.timer);
    if (performance.now() > this.held.ends) this.look();
    else this.beat();
  }
}

/**
 * Whether there was a reveal between two states.
 * @param {StateFrame|null} before
 * @param {StateFrame} after
 */
const isReveal = (before, after) => (after.revealed_at ?? null) !== (before?.revealed_at ?? null);

/**
 * Call the cues of newly sealed cards.
 * @param {StateFrame} before
 * @param {StateFrame} after
 */
function callSealed(before, after) {
  const same = before.scene === after.scene && before.version?.phase === after.version?.phase;
  const known = same ? before.committed : [];
  for (const name of after.committed ?? []) if (!known.includes(name)) call("sealed", { name });
  if (after.phase !== "locked" || (same && before.phase === "locked")) return;
  call("all-sealed");
  call("roll", { until: after.reveal_at });
}

/** How long until the last card has turned, in ms. */
function stillTurning() {
  const turning = document
    .getAnimations()
    .filter(
      ({ effect, playState }) =>
        playState === "running" &&
        effect instanceof KeyframeEffect &&
        effect.target?.matches(".leaf") &&
        effect.target.closest(STAGE),
    );
  /** @param {Animation} animation */
  const left = ({ effect, currentTime }) => Number(effect?.getComputedTiming().endTime) - Number(currentTime);
  return Math.max(0, ...turning.map(left));
}
