/** The seals that were opened, checked by this page itself. */

import { sealDigest } from "../../core/digest.js";

/** @typedef {import("../../core/types").RecapData} RecapData */
/** @typedef {import("../../core/types").RecapSeal} RecapSeal */

/** So many are checked in one go: the page may be wanted meanwhile. */
const AT_ONCE = 20;

export class Seals {
  /**
   * @param {RecapData} recap
   * @param {() => void} onChange is called when all are checked
   */
  constructor(recap, onChange) {
    this.where = { log: recap.log, table: recap.table };
    this.all = recap.scenes.flatMap((scene) => scene.seals);
    this.onChange = onChange;
    /** @type {Map<RecapSeal, boolean>} */
    this.sound = new Map();
  }

  /** Whether they can be checked here: the first version's seals say less. */
  get checkable() {
    return this.where.log !== "";
  }

  get done() {
    return this.sound.size === this.all.length;
  }

  /** How many open to what was sealed. */
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
