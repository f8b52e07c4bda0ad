/** The display's stage, with a bar below it to go through a scene step by step. */

import { sayAloud } from "../../core/aloud.js";
import { h, morph } from "../../core/dom.js";
import { Fit } from "../../core/fit.js";
import { enter } from "../../core/game.js";
import { dress } from "../../core/portrait.js";
import { headlineSaid } from "../../core/prompt.js";
import { Score } from "../../core/score.js";
import { readState } from "../../core/state.js";
import { t } from "../../core/texts.js";
import { display } from "../stage.js";

/** @typedef {import("../../core/types").RecapScene} RecapScene */
/** @typedef {import("../../core/types").StateFrame} StateFrame */

/** How long a step is shown during playback, and one with a reveal. */
const STEP_MS = 1300;
const SHOWN_MS = 5500;

export class Stage {
  /**
   * @param {HTMLElement} root element for the display
   * @param {HTMLElement} bar
   * @param {() => void} onClose
   */
  constructor(root, bar, onClose) {
    Object.assign(this, { root, bar });
    this.root = root;
    this.bar = bar;
    this.fit = new Fit(root);
    /** @type {RecapScene|null} */
    this.scene = null;
    /** @type {StateFrame[]} */
    this.frames = [];
    this.at = 0;
    this.timer = 0;
    /** @type {import("../../core/types").State|null} */
    this.state = null;
    /** @param {StateFrame} frame */
    const show = (frame) => {
      enter(frame);
      dress(frame);
      this.state = readState(frame);
      this.draw();
    };
    this.score = new Score({ show, tell: (frame) => frame.type === "state" && show(frame) });
    bar.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      const name = button?.dataset.go;
      if (name === "close") onClose();
      else if (name === "play") this.play(!this.timer);
      else if (name) this.go(this.at + Number(name));
    });
    bar.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement) this.go(Number(target.value), true);
    });
    addEventListener("keydown", (event) => {
      if (!this.scene || event.target instanceof HTMLInputElement) return;
      if (event.key === "ArrowRight") this.go(this.at + 1);
      else if (event.key === "ArrowLeft") this.go(this.at - 1);
      else if (event.key === "Escape") onClose();
    });
    addEventListener("resize", () => this.lay());
  }

  /**
   * @param {RecapScene} scene
   * @param {StateFrame[]} frames
   * @param {number} at step to see happen, so playback starts just before it
   */
  open(scene, frames, at) {
    Object.assign(this, { scene, frames });
    this.go(Math.max(0, at - 1), true);
    this.bar.querySelector("button")?.focus({ preventScroll: true });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.play(true);
  }

  close() {
    this.play(false);
    this.score.join();
    this.scene = null;
  }

  /**
   * Show a step. The next one is played with its reveal; any other is shown at once.
   * @param {number} at
   */
  go(at, jumps = at !== this.at + 1) {
    if (!this.scene || at < 0 || at >= this.frames.length) return void this.play(false);
    if (jumps) {
      this.play(false);
      this.score.join();
    }
    this.at = at;
    this.score.take({ ...this.frames[at], type: "state" });
    this.draw();
  }

  /** Start or stop playback. @param {boolean} on */
  play(on) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (!on || !this.scene || this.at >= this.frames.length - 1) return this.draw();
    const shows = this.at > 0 && this.frames[this.at].revealed_at !== this.frames[this.at - 1].revealed_at;
    this.timer = setTimeout(
      () => {
        this.go(this.at + 1);
        if (this.timer) this.play(true);
      },
      shows ? SHOWN_MS : STEP_MS,
    );
    this.draw();
  }

  draw() {
    const { state, scene } = this;
    if (!state || !scene) return;
    this.root.className = `phase-${state.phase} ${this.fit.classes}`.trimEnd();
    morph(this.root, h("div", {}, display({ state, status: "open", notice: "" })));
    morph(this.bar, h("div", {}, this.controls(scene)));
    requestAnimationFrame(() => this.lay());
    if (!this.timer) sayAloud(headlineSaid(state));
  }

  lay() {
    const { state } = this;
    if (this.scene && state) this.fit.fit(String(state.scene), [state.phase, state.step, state.turn_number].join(" "));
  }

  /** @param {RecapScene} scene */
  controls(scene) {
    const { at, frames, timer } = this;
    const last = frames.length - 1;
    /** @param {string} go @param {string} sign @param {string} name @param {boolean} off */
    const button = (go, sign, name, off = false) =>
      h(
        "button",
        { type: "button", key: go, "data-go": go, "aria-label": name, "aria-disabled": off ? "true" : null },
        sign,
      );
    const where = t("recap.step", { number: at + 1, most: last + 1 });
    return [
      h("button", { type: "button", class: "back", key: "close", "data-go": "close" }, t("recap.back")),
      button("-1", "◀", t("recap.before"), at === 0),
      h(
        "button",
        { type: "button", key: "play", "data-go": "play", "aria-pressed": String(timer !== 0) },
        t(timer ? "recap.stop" : "recap.play"),
      ),
      button("1", "▶", t("recap.next"), at === last),
      h("input", {
        type: "range",
        key: "range",
        min: 0,
        max: last,
        value: at,
        "aria-label": t("recap.scrub", { title: scene.title }),
        "aria-valuetext": where,
      }),
      h("output", { key: "where" }, where),
    ];
  }
}
