/** Other browsers that may open this seat's page: its player is told of them, and of what they do. */

import { h } from "../../core/dom.js";
import { knows, t } from "../../core/texts.js";

/** How many others this browser's player has said to know of. */
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
    // Then the player is told again after a reload.
  }
}

export class Company {
  others = 0;
  known = known();
  /**
   * The newest thing that another browser has asked for here.
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

  /** The player knows of them. */
  accept() {
    this.known = this.others;
    this.deed = null;
    keep(this.known);
  }

  /** What the player has to know of them; null if it is nothing new. */
  note() {
    if (!this.deed && this.others <= this.known) return null;
    const many = this.others > 1 ? "own.company.some" : "own.company.another";
    const { command, ok } = this.deed ?? {};
    const deed = this.deed && t(ok ? "own.company.done" : "own.company.refused", { deed: t(knows(`own.company.${command}`) ? `own.company.${command}` : "own.company.other") });
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
