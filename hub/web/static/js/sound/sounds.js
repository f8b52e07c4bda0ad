/**
 * The table's sounds on public pages. Browsers allow sound only after a press: a small button asks
 * for one and disappears. What plays the sounds is loaded only then.
 */

import { h, make } from "../core/dom.js";
import { redraw } from "../core/later.js";
import { onCue } from "../core/score.js";
import { t } from "../core/texts.js";

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
    /** Loaded once sound is wanted. @type {import("./player.js").Player|null} */
    this.player = null;
    /** Output node for sounds. @type {AudioNode|null} */
    this.out = null;
    /** Silent until the hub sends the volume. @type {Loudness} */
    this.loud = { volume: 0, muted: true };
    /** Whether the button was hidden after a time without a press. */
    this.isAlone = false;
    this.tires = 0;
    this.asks = make(
      h("aside", { class: "sound-on", "aria-label": t("sound") }, h("button", { type: "button" }, t("sound.on"))),
    );
    this.asks.addEventListener("click", () => this.begin());
    onCue((cue, detail) => this.player?.cue(cue, detail));
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
    return this.context?.state === "running" && this.player !== null;
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
    import("./player.js")
      .then(({ Player }) => {
        this.player ??= new Player(this);
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
}
