/** The opened seals, checked by this page itself. */

import { sealDigest } from "../../core/digest.js";

/** @typedef {import("../../core/types").RecapData} RecapData */
/** @typedef {import("../../core/types").RecapSeal} RecapSeal */

/** Number of seals checked at once, so that the page stays responsive. */
const AT_ONCE = 20;

export class Seals {
  /**
   * @param {RecapData} recap
   * @param {() => void} onChange called when all are checked
   */
  constructor(recap, onChange) {
    this.where = { log: recap.log, table: recap.table };
    this.all = recap.scenes.flatMap((scene) => scene.seals);
    this.onChange = onChange;
    /** @type {Map<RecapSeal, boolean>} */
    this.sound = new Map();
  }

  /** Whether seals can be checked here: those of the first version contain too little. */
  get checkable() {
    return this.where.log !== "";
  }

  get done() {
    return this.sound.size === this.all.length;
  }

  /** The number of valid seals. */
  get count() {
    return [...this.sound.values()].filter(Boolean).length;
  }

  check() {
    if (!this.checkable) return;
    for (const seal of this.all.slice(this.sound.size, this.sound.size + AT_ONCE)) {
      this.sound.set(seal, sealDigest(this.where, seal.line, seal.opening) === seal.line.digest);
    }
    if (this.done) this.onChange();
    else setTimeout(() => this.check());
  }
}
