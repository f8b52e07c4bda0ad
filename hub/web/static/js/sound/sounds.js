/**
 * The table's sounds on public pages. They follow the cues of the score, so none comes too early.
 * Sounds missed on a hidden page, or before sound was allowed, are not played later. Browsers allow
 * sound only after a press: a small button asks for one and disappears.
 */

import { partLeft } from "../core/clock.js";
import { h, make } from "../core/dom.js";
import { redraw } from "../core/later.js";
import { onCue } from "../core/score.js";
import { t } from "../core/texts.js";

/** A cue repeated within this time is played once, such as for cards laid together. */
const SAME_S = 0.05;
/** Repetitions of a cue within this time are counted. */
const ROW_S = 2.5;
const LONGEST_ROLL_S = 10;
const SHORTEST_ROLL_S = 0.3;
/** Cues that end a drum roll. */
const ENDS_ROLL = ["turn", "dice", "strike", "verdict"];
/** Hide the button on an untouched screen after this time; a touch shows it again. */
const ASKS_MS = 60_000;
const KEYS_OF_THE_BROWSER = ["Escape", "Tab", "Shift", "Control", "Alt", "Meta"];

/** The volume of the table. @typedef {{volume: number, muted: boolean}} Loudness */

/** Whether this is a hand-held device, which plays sound only after a press of the button. */
const isPhone = () => matchMedia("(pointer: coarse) and (max-width: 60rem)").matches;

export class Sounds {
  constructor() {
    /** @type {AudioContext|null} */
    this.context = null;
    /** @type {GainNode|null} */
    this.master = null;
    /** The sounds of each cue; loaded once sound is wanted. @type {import("./sets.js").Set|null} */
    this.set = null;
    /** Output node for sounds. @type {AudioNode|null} */
    this.out = null;
    /** @type {GainNode|null} */
    this.roll = null;
    /** Silent until the hub sends the volume. @type {Loudness} */
    this.loud = { volume: 0, muted: true };
    /**
     * When each cue last came (s), and how often in a row.
     * @type {Map<string, {at: number, nth: number}>}
     */
    this.last = new Map();
    /** Whether the button was hidden after a time without a press. */
    this.isAlone = false;
    this.tires = 0;
    this.asks = make(
      h("aside", { class: "sound-on", "aria-label": t("sound") }, h("button", { type: "button" }, t("sound.on"))),
    );
    this.asks.addEventListener("click", () => this.begin());
    onCue((cue, detail) => this.cue(cue, detail));
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, (event) => this.touched(event));
    // On a screen without input, `?sound` says that the browser is configured to allow autoplay.
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

  /** Play sounds from now on, if the browser allows it. */
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
    import("./sets.js")
      .then(({ setOf }) => {
        this.set = setOf(document.documentElement.dataset.sounds);
        return resumed;
      })
      .then(
        () => this.show(),
        () => {},
      );
  }

  /** Show the button while a press is needed. */
  show() {
    const needed = typeof AudioContext !== "undefined" && !this.isOn && this.gain > 0 && !this.isAlone;
    if (needed === this.asks.isConnected) return;
    clearTimeout(this.tires);
    if (needed)
      this.tires = setTimeout(() => {
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
   * Set the volume.
   * @param {Loudness} loud
   */
  turnTo({ volume, muted }) {
    this.loud = { volume, muted };
    this.master?.gain.setTargetAtTime(this.gain, this.context?.currentTime ?? 0, 0.03);
    this.show();
  }

  /**
   * Play changes between two states that are no cue of the score.
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
   * Play a cue now, or never.
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
   * Start a drum roll, which can be stopped.
   * @param {AudioContext} context
   * @param {AudioNode} out
   */
  begun(context, out) {
    this.hush();
    this.roll = new GainNode(context);
    this.roll.connect(out);
    return this.roll;
  }

  /** Stop the drum roll. */
  hush() {
    this.roll?.gain.setTargetAtTime(0, this.context?.currentTime ?? 0, 0.02);
    this.roll = null;
  }
}

/**
 * The length of a drum roll until the reveal, in seconds.
 * @param {unknown} until
 */
function lengthOf(until) {
  const left = typeof until === "string" ? partLeft(Date.parse(until), LONGEST_ROLL_S) * LONGEST_ROLL_S : 1;
  return Math.max(SHORTEST_ROLL_S, left);
}
