/**
 * Keyboard control of the virtual table. In a hand the arrows move from card to card and Enter lays
 * a card onto the seat's reader; Up goes to the reader and Down back; Escape puts a picked card
 * back, or lifts the card on the reader.
 */

import { nearest } from "../../core/dom.js";

/** @type {Record<string, number>} */
const STEP = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * @param {HTMLElement} root
 * @param {{lay: (tag: string, seat: string, event: KeyboardEvent) => void, lift: (seat: string) => void, drop: () => boolean}} hands
 */
export function letKeys(root, { lay, lift, drop }) {
  root.addEventListener("keydown", (event) => {
    const panel = nearest(event, "[data-panel]");
    const seat = panel?.dataset.panel;
    if (!panel || !seat) return;
    const card = nearest(event, "[data-card]");
    /** @param {...string} selectors */
    const focus = (...selectors) => {
      const found = selectors.map((one) => panel.querySelector(one)).find(Boolean);
      if (found instanceof HTMLElement) found.focus();
    };
    if (event.key === "Escape") {
      if (!drop()) lift(seat);
    } else if (card && event.key in STEP) {
      /** @type {HTMLElement[]} */
      const cards = [...panel.querySelectorAll("[data-card]:not(:disabled)")].filter(
        (one) => one instanceof HTMLElement,
      );
      const at = cards.indexOf(card) + Number(STEP[event.key]);
      cards[(at + cards.length) % cards.length]?.focus();
    } else if (card && event.key === "Enter") {
      lay(card.dataset.card ?? "", seat, event);
    } else if (card && event.key === "ArrowUp") {
      focus("[data-lift]", "[data-put]");
    } else if (nearest(event, "[data-pad]") && event.key === "ArrowDown") {
      focus("[data-card]:not(:disabled)");
    } else return;
    event.preventDefault();
  });
}
