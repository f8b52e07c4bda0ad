/**
 * Outcomes felt on the phone: a word over the whole screen for a while, a line that stays, and a
 * buzz. They come with the beat of the score that shows the outcome on the display, never before.
 */

import { h } from "../../core/dom.js";
import { game } from "../../core/game.js";

const LOUD_MS = 2600;
/** Priority of outcomes when there are several characters. */
const FIRST = ["defeat", "triumph", "out", "lost", "won", "tie", "shown"];

/** Buzz patterns in ms: on, off, on … @type {Record<string, number[]>} */
const BUZZ = {
  won: [40, 50, 40, 50, 140],
  triumph: [60, 60, 60, 60, 60, 60, 320],
  lost: [260],
  out: [320, 120, 320],
  defeat: [320, 120, 520],
  tie: [70, 90, 70],
  shown: [40, 70, 40],
};

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Felt} Felt */

export class Feeling {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /**
     * The latest outcome, its character, and its moment.
     * @type {{felt: Felt, name: string, when: string}|null}
     */
    this.last = null;
    this.loud = false;
    this.ends = 0;
  }

  /**
   * Find the outcome between two states for one of these characters. `after` may be a state during
   * a reveal.
   * @param {State|null} before
   * @param {State} after
   * @param {string[]} names
   * @returns {number[]|null} the buzz pattern
   */
  told(before, after, names) {
    const when = after.game ? [after.scene, after.turn_number, game().shown(after)].join(" ") : "";
    if (this.last && when !== this.last.when) this.end();
    if (!before?.game || !after.game || before.scene !== after.scene) return null;
    // An undo is no outcome.
    if (after.seq < before.seq || after.turn_number < before.turn_number) return null;
    const found = names.flatMap((name) => {
      const felt = game().felt(before, after, name);
      return felt ? [{ felt, name }] : [];
    });
    const [first] = found.sort((one, other) => FIRST.indexOf(one.felt.kind) - FIRST.indexOf(other.felt.kind));
    if (!first) return null;
    const again = this.last?.felt.kind === first.felt.kind && this.last.name === first.name;
    this.last = { ...first, when };
    if (again) return null;
    this.loud = !document.hidden;
    clearTimeout(this.ends);
    this.ends = setTimeout(() => {
      this.loud = false;
      this.onChange();
    }, LOUD_MS);
    return BUZZ[first.felt.kind] ?? null;
  }

  end() {
    clearTimeout(this.ends);
    this.last = null;
    this.loud = false;
  }

  /** The word over the screen. */
  cry() {
    if (!this.last || !this.loud) return null;
    const { kind, title } = this.last.felt;
    return h("div", { class: `own-cry ${kind}`, key: "cry", "aria-hidden": "true" }, h("b", {}, title));
  }

  /** The line that stays until the next turn. */
  line() {
    if (!this.last) return null;
    const { kind, title, text } = this.last.felt;
    return h("p", { class: `own-felt ${kind}`, key: "felt" }, h("b", {}, title), text && h("span", {}, text));
  }
}
