/**
 * The table's sounds on a page that everybody hears. They hang on the cues of the score, so none comes
 * before its time; what nobody could hear then, on a hidden page or before sound was allowed, is not
 * played later. A browser lets a page sound after a press alone: a small button asks for it and goes.
 */

import { h, make } from "../core/dom.js";
import { partLeft } from "../core/clock.js";
import { redraw } from "../core/later.js";
import { onCue } from "../core/score.js";
import { t } from "../core/texts.js";

/** A card that is put down at once with others is heard once. */
const SAME_S = 0.05;
/** What follows one another of a cue within this is counted. */
const ROW_S = 2.5;
const LONGEST_ROLL_S = 10;
const SHORTEST_ROLL_S = 0.3;
/** What ends a drum roll. */
const ENDS_ROLL = ["turn", "dice", "strike", "verdict"];
/** A screen that nobody touches is asked no longer than this, and again once it is touched. */
const ASKS_MS = 60_000;
const KEYS_OF_THE_BROWSER = ["Escape", "Tab", "Shift", "Control", "Alt", "Meta"];

/** How loud the table is. @typedef {{volume: number, muted: boolean}} Loudness */

/** Hand-held: there it sounds only where somebody has pressed the button. */
const isPhone = () => matchMedia("(pointer: coarse) and (max-width: 60rem)").matches;

export class Sounds {
  constructor() {
    /** @type {AudioContext|null} */
    this.context = null;
    /** @type {GainNode|null} */
    this.master = null;
    /** What each cue sounds like; fetched once sound is wanted. @type {import("./sets.js").Set|null} */
    this.set = null;
    /** Where sounds go. @type {AudioNode|null} */
    this.out = null;
    /** @type {GainNode|null} */
    this.roll = null;
    /** Silent until the hub has said how loud. @type {Loudness} */
    this.loud = { volume: 0, muted: true };
    /** When a cue last came (s), and which it was in its row. @type {Map<string, {at: number, nth: number}>} */
    this.last = new Map();
    /** Whether it was asked for long enough, and nobody was there. */
    this.isAlone = false;
    this.tires = 0;
    this.asks = make(h("aside", { class: "sound-on", "aria-label": t("sound") }, h("button", { type: "button" }, t("sound.on"))));
    this.asks.addEventListener("click", () => this.begin());
    onCue((cue, detail) => this.cue(cue, detail));
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, (event) => this.touched(event));
    // A screen without hands: whoever has set its browser up may say that it sounds by itself.
    if (new URLSearchParams(location.search).has("sound")) this.begin();
    this.show();
  }

  /** @param {Event} event */
  touched(event) {
    this.isAlone = false;
    this.show();
    if (isPhone()) return;
    if (event instanceof KeyboardEvent && KEYS_OF_THE_BROWSER.includes(event.key)) return;
    if (!this.isOn) this.begin();
  }

  get isOn() {
    return this.context?.state === "running" && this.set !== null;
  }

  /** Sound from now on, if the browser allows it. */
  begin() {
    if (typeof AudioContext === "undefined") return;
    if (!this.context) {
      const context = (this.context = new AudioContext());
      const limit = new DynamicsCompressorNode(context, { threshold: -8, ratio: 12, attack: 0.002, release: 0.12 });
      this.master = new GainNode(context, { gain: this.gain });
      limit.connect(this.master).connect(context.destination);
      this.out = limit;
      context.addEventListener("statechange", () => this.show());
    }
    const resumed = this.context.resume();
    import("./sets.js").then(({ setOf }) => {
      this.set = setOf(document.documentElement.dataset.sounds);
      return resumed;
    }).then(() => this.show(), () => {});
  }

  /** Ask for a press as long as one is needed. */
  show() {
    const needed = typeof AudioContext !== "undefined" && !this.isOn && this.gain > 0 && !this.isAlone;
    if (needed === this.asks.isConnected) return;
    clearTimeout(this.tires);
    if (needed) this.tires = setTimeout(() => {
      this.isAlone = true;
      this.show();
    }, ASKS_MS);
    if (needed) document.body.append(this.asks);
    else this.asks.remove();
    document.body.classList.toggle("asks-sound", needed);
    redraw();
  }

  get gain() {
    return this.loud.muted ? 0 : (this.loud.volume / 100) ** 2;
  }

  /**
   * As loud as the GM says.
   * @param {Loudness} loud
   */
  turnTo({ volume, muted }) {
    this.loud = { volume, muted };
    this.master?.gain.setTargetAtTime(this.gain, this.context?.currentTime ?? 0, 0.03);
    this.show();
  }

  /**
   * What has come to be between two states that are told, and is no cue of the score.
   * @param {import("../core/types").State|null} before
   * @param {import("../core/types").State} after
   */
  told(before, after) {
    if (!before || after.seq < before.seq) return;
    const known = new Map(before.story?.countdowns.map((each) => [each.id, each.marked]));
    const marked = after.story?.countdowns.filter(({ id, marked }) => marked > (known.get(id) ?? marked)) ?? [];
    if (marked.some(({ marked: have, boxes }) => have === boxes)) this.cue("countdown-end");
    else if (marked.length) this.cue("mark");
  }

  /**
   * @param {import("../core/types").Line} line
   */
  happened(line) {
    if (line.type === "deadline-passed") this.cue("time-up");
    if (["undone", "scene-ended", "scene-called-off"].includes(line.type)) this.hush();
  }

  /**
   * Something is to be heard now; nothing is kept for later.
   * @param {string} cue
   * @param {Record<string, unknown>} [detail]
   */
  cue(cue, detail = {}) {
    const { context, out, set } = this;
    if (ENDS_ROLL.includes(cue)) this.hush();
    if (!context || !out || !this.isOn || document.hidden || this.gain === 0 || !set?.[cue]) return;
    const at = context.currentTime;
    const last = this.last.get(cue);
    if (last && at - last.at < SAME_S) return;
    const nth = last && at - last.at < ROW_S ? last.nth + 1 : 0;
    this.last.set(cue, { at, nth });
    const due = cue === "roll" ? this.begun(context, out) : out;
    set[cue](due, at + 0.01, { nth, lasts: lengthOf(detail.until), won: Boolean(detail.winner) });
  }

  /**
   * A drum roll, which can be ended.
   * @param {AudioContext} context
   * @param {AudioNode} out
   */
  begun(context, out) {
    this.hush();
    this.roll = new GainNode(context);
    this.roll.connect(out);
    return this.roll;
  }

  /** The drum roll ends. */
  hush() {
    this.roll?.gain.setTargetAtTime(0, this.context?.currentTime ?? 0, 0.02);
    this.roll = null;
  }
}

/**
 * How long a drum roll has until the reveal, in seconds.
 * @param {unknown} until
 */
function lengthOf(until) {
  const left = typeof until === "string" ? partLeft(Date.parse(until), LONGEST_ROLL_S) * LONGEST_ROLL_S : 1;
  return Math.max(SHORTEST_ROLL_S, left);
}
