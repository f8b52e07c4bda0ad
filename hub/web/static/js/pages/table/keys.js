// @ts-nocheck
/**
 * The keyboard at the virtual table. In a hand the arrows go from card to card, Enter lays the
 * card onto the seat's reader, Up goes to the reader and Down back; Escape puts a picked card back
 * or lifts what lies on the seat's reader.
 */

const STEP = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * @param {Element} root
 * @param {{lay: Function, lift: Function, drop: Function}} hands
 */
export function letKeys(root, { lay, lift, drop }) {
  root.addEventListener("keydown", (event) => {
    const panel = event.target.closest("[data-panel]");
    if (!panel) return;
    const card = event.target.closest("[data-card]");
    if (event.key === "Escape") {
      if (!drop()) lift(panel.dataset.panel);
    } else if (card && event.key in STEP) {
      const cards = [...panel.querySelectorAll("[data-card]:not(:disabled)")];
      const at = cards.indexOf(card) + STEP[event.key];
      cards[(at + cards.length) % cards.length]?.focus();
    } else if (card && event.key === "Enter") {
      lay(card.dataset.card, panel.dataset.panel, event);
    } else if (card && event.key === "ArrowUp") {
      (panel.querySelector("[data-lift]") ?? panel.querySelector("[data-put]"))?.focus();
    } else if (event.target.closest("[data-pad]") && event.key === "ArrowDown") {
      panel.querySelector("[data-card]:not(:disabled)")?.focus();
    } else return;
    event.preventDefault();
  });
}
