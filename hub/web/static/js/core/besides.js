/** Which cards lie beside the step: what this page has set there itself, and knows to lie there. */

/** What the hub says to who sets a card beside a second time. */
const LIES = "beside-already";

/** @typedef {import("./types").Version} Version */

/**
 * Whether the table stands in the same phase.
 * @param {Version|null} [one]
 * @param {Version|null} [other]
 */
export const samePhase = (one, other) => one?.scene === other?.scene && one?.phase === other?.phase;

export class Besides {
  constructor() {
    /** @type {Map<string, Set<string>>} from an actor to its cards */
    this.known = new Map();
    /** What was pressed, until it is answered: from its place. @type {Map<string, import("./types").Asked>} */
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
   * A card is known to lie there.
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
   * The command that a tap gives: what lies there is withdrawn, everything else set beside.
   * @param {string} actor
   * @param {string} choice
   */
  command(actor, choice) {
    return { command: this.has(actor, choice) ? "withdraw" : "commit", actor, choice };
  }

  /**
   * It was pressed, with the table as it was drawn.
   * @param {string} place
   * @param {import("./types").Command} command
   * @param {Version|null} [version]
   */
  press(place, command, version) {
    this.asked.set(place, { ...command, version });
  }

  /**
   * A press was answered: what it says of the card holds, unless the table has gone on since.
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
   * A card was withdrawn: if not from here, it is not known which.
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
