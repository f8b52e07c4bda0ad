/**
 * The one clock of the moment. Every frame of the hub passes through here: what happens is told to the
 * page in its order, a reveal as a score, cue after cue, and when that is over everything that was
 * held back. Whoever joins in the middle of it, comes back from a gap or looks away is held to the
 * same clock.
 */

import { askTime, hear } from "./clock.js";
import { gameOf } from "./game.js";

/** A card takes this long to turn over; the next one begins while it still turns. */
export const TURN_MS = 700;
export const NEXT_MS = 450;
/** From a reveal until what follows from it shows, on every page: at least, and at most. The hub knows the latter too. */
export const MOMENT_MS = 1500;
export const LONGEST_MS = 4000;

/**
 * What moves when, by its cue: how long it holds the stage, after how long another of its name follows,
 * and how long the first of them is from the last at most (ms).
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

/** Further behind than this, a page does not play what has happened any more, but shows what came of it. */
const LATE_MS = LONGEST_MS + 1000;
/** So long a reveal that ends the one before it waits for that to have been drawn. */
const BREATH_MS = 150;
/** How long a card may be late where the machine is slow. */
const SLOW_MS = 1500;
/** A cue that is later than this is shown, but not called any more. */
const STALE_MS = 400;
/** The page bears this class while nothing turns over: what changes then has changed already. */
const STILL = "still";
/** Answers, and what lies on readers, are no news of the moment. */
const AT_ONCE = ["reply", "tabletop", "sound", "lights", "where"];
/** Where cards turn over by this clock. */
const STAGE = ".slot, .options";

const root = document.documentElement;

/** @typedef {import("./types").Beat} Beat */
/** @typedef {import("./types").Cue} Cue */
/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").StateFrame} StateFrame */

/** @type {Set<(name: string, detail: Record<string, unknown>) => void>} */
const listeners = new Set();

/**
 * Be called at each cue, in its moment: `sealed` (`name`), `all-sealed`, `roll` while what is sealed
 * waits for its reveal (`until`, an ISO time), and those of a reveal: `turn` (`kind`, `name`, `value`),
 * `dice` (`name`, `dice`), `strike` (`name`, `special`), `verdict` (`winner`, null at a tie), `term` (`value`, `total` so far),
 * `loss` (`name`, `type`, `left`), `knock-out` (`name`). Whoever joins late hears the rest alone.
 * @param {(name: string, detail: Record<string, unknown>) => void} listener
 * @returns {() => void} ends it
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
 * A score as data: each beat with its time from the first on (ms), and how long all of it lasts. What
 * would take too long is played faster, but for the cards.
 * @param {Beat[]} beats
 */
export function scoreOf(beats) {
  /** How many of them follow one another there. @param {number} nth */
  const alike = (nth) => beats.filter(({ cue }) => cue === beats[nth].cue).length;
  /** @param {number} nth */
  const gap = (nth) => Math.min(SCORE[beats[nth].cue].next, SCORE[beats[nth].cue].most / Math.max(1, alike(nth) - 1));
  const gaps = beats.map(({ cue }, nth) => (beats[nth + 1]?.cue === cue ? gap(nth) : SCORE[cue].lasts));
  /** @param {number[]} some */
  const sum = (some) => some.reduce((all, one) => all + one, 0);
  const cards = beats.filter(({ cue }) => cue === "turn").length;
  const [turning, rest] = [sum(gaps.slice(0, cards)), sum(gaps.slice(cards))];
  const pace = Math.min(1, (LONGEST_MS - turning) / Math.max(1, rest));
  const at = gaps.map((_, nth) => sum(gaps.slice(0, Math.min(nth, cards))) + pace * sum(gaps.slice(cards, Math.max(nth, cards))));
  return { beats: beats.map((beat, nth) => ({ ...beat, at: at[nth] })), ends: turning + pace * rest };
}

export class Score {
  /**
   * @param {Object} page
   * @param {(frame: StateFrame) => void} page.show draws a state in which cards turn over, nothing else
   * @param {(frame: Frame) => void} page.tell hears each frame when its time has come
   * @param {boolean} [page.asks] whether what somebody is asked does not wait until the last cue has faded
   */
  constructor({ show, tell, asks = false }) {
    this.show = show;
    this.tell = tell;
    this.asks = asks;
    /** @type {Array<{frame: Frame, at: number, joins: boolean, undone: boolean}>} */
    this.heard = [];
    /** The newest state that was told. @type {StateFrame|null} */
    this.shown = null;
    /** The moment that is played now: what is still to come of it. @type {{beats: Array<Beat & {at: number}>, begins: number, ends: number, timer: number}|null} */
    this.held = null;
    this.cut = false;
    this.joins = true;
    /** How long the next moment waits until it begins (ms). */
    this.breath = 0;
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
    Object.assign(this, { heard: [], joins: true, cut: false });
  }

  /**
   * A frame has come.
   * @param {Frame} frame
   */
  take(frame) {
    if (frame.type === "event") hear(frame.line.at_ms);
    if (frame.type === "state" && frame.timer) askTime();
    if (AT_ONCE.includes(frame.type)) return this.tell(frame);
    // What is undone is not played to its end, nor shown for the blink before it is gone.
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
   * A reveal does not wait for what is still played: that is over.
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
   * Begin a moment, if a frame brings one. To a page that joins the hub says how long ago it began, in
   * `revealed_ago_ms`; else it begins now.
   * @param {{frame: Frame, at: number, joins: boolean, undone: boolean}} heard
   */
  begins({ frame, at, joins, undone }) {
    if (frame.type !== "state" || undone) return false;
    const now = performance.now();
    const reveal = isReveal(this.shown, frame);
    const { beats, ends } = scoreOf(gameOf(frame).beats(this.shown, frame));
    const over = this.asks ? beats.at(-1)?.at ?? 0 : ends;
    const lasts = reveal ? Math.max(MOMENT_MS, over) : over;
    const ago = frame.revealed_ago_ms;
    // Who does not know what was before cannot know how long it lasts.
    if (ago !== undefined) return reveal && this.perform(beats, at - ago, at - ago + (beats.length ? lasts : LONGEST_MS));
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
   * Play beat after beat, and go on when the moment is over.
   * @param {Array<Beat & {at: number}>} beats
   * @param {number} begins by the page's steady clock (ms)
   * @param {number} ends
   * @returns {boolean} whether there is anything left of it
   */
  perform(beats, begins, ends) {
    if (performance.now() >= ends) return false;
    this.held = { beats: [...beats], begins, ends, timer: 0 };
    this.beat();
    return true;
  }

  /** Show how far the moment has come, call what has come of it just now, and wait for what is next. */
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
    clearTimeout(held?.timer);
    this.held = null;
    root.classList.add(STILL);
    return held !== null;
  }

  /** Time has stood still for a page that nobody saw: how far is the moment now? */
  hurry() {
    if (!this.held) return;
    clearTimeout(this.held.timer);
    if (performance.now() > this.held.ends) this.look();
    else this.beat();
  }
}

/**
 * Whether cards have been revealed since a state.
 * @param {StateFrame|null} before
 * @param {StateFrame} after
 */
const isReveal = (before, after) => (after.revealed_at ?? null) !== (before?.revealed_at ?? null);

/**
 * Call what lies sealed in a state and did not in the one before.
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

/** How long until the last card lies that is turning now, in ms. */
function stillTurning() {
  const turning = document.getAnimations().filter(({ effect, playState }) =>
    playState === "running" && effect instanceof KeyframeEffect && effect.target?.matches(".leaf") && effect.target.closest(STAGE));
  /** @param {Animation} animation */
  const left = ({ effect, currentTime }) => Number(effect?.getComputedTiming().endTime) - Number(currentTime);
  return Math.max(0, ...turning.map(left));
}
