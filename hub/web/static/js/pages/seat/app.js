/**
 * A seat's page as an app: it stays awake while a scene is played, can be put on the home screen, and fills
 * the screen. Browsers allow most of that on this machine and over TLS alone; where one does not, nothing
 * is missing but that.
 */

import { h } from "../../core/dom.js";
import { t } from "../../core/texts.js";

export class App {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.wanted = false;
    /** @type {WakeLockSentinel|null} */
    this.lock = null;
    /** What a browser offers that would put the page on the home screen. @type {(Event & {prompt(): Promise<unknown>})|null} */
    this.offer = null;
    document.addEventListener("visibilitychange", () => this.stay());
    document.addEventListener("fullscreenchange", onChange);
    addEventListener("beforeinstallprompt", (event) => {
      this.offer = /** @type {Event & {prompt(): Promise<unknown>}} */ (event);
      onChange();
    });
    addEventListener("appinstalled", () => this.installed());
    const link = document.createElement("link");
    link.rel = "manifest";
    link.href = `${location.pathname}.webmanifest`;
    document.head.append(link);
    navigator.serviceWorker?.register("/seat/worker.js").catch(() => {});
  }

  /**
   * Stay awake while a scene is played.
   * @param {boolean} isPlayed
   */
  awake(isPlayed) {
    if (this.wanted === isPlayed) return;
    this.wanted = isPlayed;
    this.stay();
  }

  /** Ask again after the page was hidden: the browser has let go then. A refusal is none of the player's business. */
  async stay() {
    try {
      if (!this.wanted) await this.lock?.release();
      else if (!document.hidden && (!this.lock || this.lock.released)) this.lock = await navigator.wakeLock?.request("screen");
    } catch {
      this.lock = null;
    }
  }

  installed() {
    this.offer = null;
    this.onChange();
  }

  async install() {
    await this.offer?.prompt();
    this.installed();
  }

  /** All of the screen, or no longer. */
  async fill() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen();
    } catch {
      // The browser would rather not.
    }
  }

  /** The buttons that there are. */
  buttons() {
    const full = document.fullscreenElement !== null;
    const label = t(full ? "own.app.small" : "own.app.full");
    return [
      document.fullscreenEnabled && h("button", { type: "button", class: "quiet", key: "fill", "data-fill": true }, label),
      this.offer && h("button", { type: "button", class: "quiet", key: "install", "data-install": true }, t("own.app.install")),
    ];
  }
}
