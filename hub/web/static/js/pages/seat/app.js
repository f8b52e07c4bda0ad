/**
 * App features of a seat's page: a wake lock during a scene, installation on the home screen, and
 * full screen. Browsers allow most of that only on localhost and over TLS; elsewhere only these
 * features are missing.
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
    /**
     * The browser's offer to install the page.
     * @type {(Event & {prompt(): Promise<unknown>})|null}
     */
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
   * Keep the screen awake during a scene.
   * @param {boolean} isPlayed
   */
  awake(isPlayed) {
    if (this.wanted === isPlayed) return;
    this.wanted = isPlayed;
    this.stay();
  }

  /**
   * Request the lock again after the page was hidden, because the browser has released it. A
   * refusal is ignored.
   */
  async stay() {
    try {
      if (!this.wanted) await this.lock?.release();
      else if (!document.hidden && (!this.lock || this.lock.released))
        this.lock = await navigator.wakeLock?.request("screen");
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

  /** Toggle full screen. */
  async fill() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen();
    } catch {
      // Refused by the browser.
    }
  }

  /** Buttons for the available features. */
  buttons() {
    const full = document.fullscreenElement !== null;
    const label = t(full ? "own.app.small" : "own.app.full");
    return [
      document.fullscreenEnabled &&
        h("button", { type: "button", class: "quiet", key: "fill", "data-fill": true }, label),
      this.offer &&
        h("button", { type: "button", class: "quiet", key: "install", "data-install": true }, t("own.app.install")),
    ];
  }
}
