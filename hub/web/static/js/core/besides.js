/** The cards set beside the step, as far as this page knows: the hub does not publish them. */

/** The hub's code for setting the same card beside twice. */
const LIES = "beside-already";

/** @typedef {import("./types").Version} Version */

/**
 * Whether two versions belong to the same phase.
 * @param {Version|null} [one]
 * @param {Version|null} [other]
 */
export const samePhase = (one, other) => one?.scene === other?.scene && one?.phase === other?.phase;

export class Besides {
  constructor() {
    /** @type {Map<string, Set<string>>} actor → its cards */
    this.known = new Map();
    /** Place → its press, until it is answered. @type {Map<string, import("./types").Asked>} */
    this.asked = new Map();
  }

  /**
   * @param {string} actor
   * @param {string} choice
   */
  has(actor, choice) {
    return this.known.get(actor)?.has(choice) ?? false;
  }

  /**
   * Note that a card is beside.
   * @param {string} actor
   * @param {string} choice
   */
  lies(actor, choice) {
    this.known.set(actor, new Set(this.known.get(actor)).add(choice));
  }

  /** @param {string} actor */
  size(actor) {
    return this.known.get(actor)?.size ?? 0;
  }

  /**
   * The command for a tap: withdraw a card that is beside, else set it beside.
   * @param {string} actor
   * @param {string} choice
   */
  command(actor, choice) {
    return { command: this.has(actor, choice) ? "withdraw" : "commit", actor, choice };
  }

  /**
   * Remember a press, with the version of the table that was drawn.
   * @param {string} place
   * @param {import("./types").Command} command
   * @param {Version|null} [version]
   */
  press(place, command, version) {
    this.asked.set(place, { ...command, version });
  }

  /**
   * Learn from an answer, unless the phase has changed since the press.
   * @param {import("./types").Outcome} outcome
   * @param {Version|null} [version]
   */
  answered({ place, ok, why }, version) {
    const asked = this.asked.get(place);
    this.asked.delete(place);
    if (!asked || !samePhase(asked.version, version)) return;
    const { command, actor = "", choice = "" } = asked;
    const lies = !ok && why?.code === LIES;
    if (command === "withdraw") this.known.get(actor)?.delete(choice);
    else if (ok || lies) this.lies(actor, choice);
  }

  /**
   * A card was withdrawn. If this page did not do it, it cannot know which: forget them all.
   * @param {string} actor
   */
  withdrawn(actor) {
    const own = [...this.asked.values()].some((one) => one.command === "withdraw" && one.actor === actor);
    if (!own) this.known.delete(actor);
  }

  clear() {
    this.known.clear();
    this.asked.clear();
  }
}
