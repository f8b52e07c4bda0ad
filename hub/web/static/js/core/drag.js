/** Drags cards by mouse, pen or finger: a ghost follows the pointer from the hand to a reader. */

import { nearest } from "./dom.js";

const START_PX = 7;

/**
 * Let cards be dragged.
 * @param {HTMLElement} root
 * @param {(tag: string, seat: string, event: PointerEvent) => void} onDrop called with the seat of
 *   the reader below
 */
export function letDrag(root, onDrop) {
  /** @type {{card: HTMLButtonElement, id: number, x: number, y: number, ghost: HTMLElement|null, pad: HTMLElement|null, box: DOMRect}|null} */
  let held = null;

  /**
   * @param {PointerEvent} event
   * @returns {HTMLElement|null}
   */
  const padAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-pad]") ?? null;

  /** @param {HTMLElement|null} pad */
  const over = (pad) => {
    if (!held || held.pad === pad) return;
    held.pad?.classList.remove("over");
    pad?.classList.add("over");
    held.pad = pad;
  };

  const end = () => {
    if (!held) return;
    over(null);
    held.ghost?.remove();
    held = null;
  };

  root.addEventListener("pointerdown", (event) => {
    const card = nearest(event, "[data-card]");
    if (!(card instanceof HTMLButtonElement) || card.disabled || event.button !== 0) return;
    const box = card.getBoundingClientRect();
    held = { card, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, pad: null, box };
  });

  addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.ghost) {
      if (far < START_PX) return;
      held.box = held.card.getBoundingClientRect();
      held.ghost = /** @type {HTMLElement} */ (held.card.cloneNode(true));
      held.ghost.classList.add("ghost");
      held.ghost.removeAttribute("data-card");
      held.ghost.style.width = `${held.box.width}px`;
      held.ghost.style.height = `${held.box.height}px`;
      document.body.append(held.ghost);
    }
    const x = held.box.left + event.clientX - held.x;
    const y = held.box.top + event.clientY - held.y;
    held.ghost.style.transform = `translate(${x}px, ${y}px) rotate(2deg)`;
    const pad = padAt(event);
    over(pad?.dataset.pad === held.card.dataset.seat ? pad : null);
  });

  addEventListener("pointerup", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { card, pad, ghost } = held;
    end();
    if (!ghost) return;
    const [tag, seat] = [card.dataset.card, pad?.dataset.pad];
    // Ignore the click that follows a drag.
    /** @param {Event} click */
    const swallow = (click) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (tag && seat) onDrop(tag, seat, event);
  });

  addEventListener("pointercancel", end);
}
