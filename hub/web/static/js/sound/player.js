/**
 * Plays the cues of the score, so no sound comes too early. Sounds missed on a hidden page, or
 * before sound was allowed, are not played later.
 */

import { partLeft } from "../core/clock.js";
import { setOf } from "./sets.js";

/** A cue repeated within this time is played once, such as for cards laid together. */
const SAME_S = 0.05;
/** Repetitions of a cue within this time are counted. */
const ROW_S = 2.5;
const LONGEST_ROLL_S = 10;
const SHORTEST_ROLL_S = 0.3;
/** Cues that end a drum roll. */
const ENDS_ROLL = ["turn", "dice", "strike", "verdict"];

export class Player {
  /** @param {import("./sounds.js").Sounds} sounds where to play, and how loud */
  constructor(sounds) {
    this.sounds = sounds;
    /** The sounds of each cue. */
    this.set = setOf(document.documentElement.dataset.sounds);
    /** @type {GainNode|null} */
    this.roll = null;
    /**
     * When each cue last came (s), and how often in a row.
     * @type {Map<string, {at: number, nth: number}>}
     */
    this.last = new Map();
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
    const { set } = this;
    const { context, out } = this.sounds;
    if (ENDS_ROLL.includes(cue)) this.hush();
    if (!context || !out || !this.sounds.isOn || document.hidden || this.sounds.gain === 0 || !set[cue]) return;
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
    this.roll?.gain.setTargetAtTime(0, this.sounds.context?.currentTime ?? 0, 0.02);
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
