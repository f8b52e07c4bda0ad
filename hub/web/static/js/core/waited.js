/** Counts how long the table has been waiting for the same people. */

/** @typedef {import("./types").State} State */

/** The table has been waiting for long after this many seconds. */
const LONG_S = 3;

export class Waited {
  constructor() {
    this.who = "";
    this.from = 0;
  }

  /**
   * Return the seconds since the table began to wait for those that it waits for now; null if it
   * does not wait, or only just began.
   * @param {State|null} state
   */
  seconds(state) {
    const left = state?.awaited.filter((name) => !state.committed.includes(name)) ?? [];
    const who = state?.game && left.length ? [state.scene, state.version?.phase, ...left].join(" ") : "";
    if (who !== this.who) [this.who, this.from] = [who, performance.now()];
    const seconds = Math.floor((performance.now() - this.from) / 1000);
    return who && seconds >= LONG_S ? seconds : null;
  }
}
