/** Warns a player of other browsers that may open this seat's page, and of what they do. */

import { h } from "../../core/dom.js";
import { knows, t } from "../../core/texts.js";

/** The number of others that this browser's player has acknowledged. */
const KNOWN = `facedown-company:${location.pathname}`;

function known() {
  try {
    return Number(localStorage.getItem(KNOWN)) || 0;
  } catch {
    return 0;
  }
}

/** @param {number} others */
function keep(others) {
  try {
    localStorage.setItem(KNOWN, String(others));
  } catch {
    // Without storage the player is warned again after a reload.
  }
}

export class Company {
  others = 0;
  known = known();
  /**
   * The newest command of another browser at this seat.
   * @type {{command: string, ok: boolean}|null}
   */
  deed = null;

  /** @param {{browsers: number}} frame */
  counted({ browsers }) {
    this.others = Math.max(0, browsers - 1);
    if (this.others < this.known) this.accept();
  }

  /** @param {{command: string, ok: boolean}} frame */
  heard(frame) {
    this.deed = frame;
  }

  /** The player acknowledges the others. */
  accept() {
    this.known = this.others;
    this.deed = null;
    keep(this.known);
  }

  /** The warning; null if there is nothing new. */
  note() {
    if (!this.deed && this.others <= this.known) return null;
    const many = this.others > 1 ? "own.company.some" : "own.company.another";
    const { command, ok } = this.deed ?? {};
    const deed =
      this.deed &&
      t(ok ? "own.company.done" : "own.company.refused", {
        deed: t(knows(`own.company.${command}`) ? `own.company.${command}` : "own.company.other"),
      });
    return h(
      "section",
      { class: "own-company", key: "company", role: "alert", "aria-label": t("own.company") },
      h("p", {}, h("b", {}, t(many, { number: this.others }))),
      deed && h("p", {}, deed),
      h("p", {}, t("own.company.help")),
      h("button", { type: "button", class: "quiet", "data-company": true }, t("own.company.mine")),
    );
  }
}
