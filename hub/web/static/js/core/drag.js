// @ts-nocheck
/** Cards moved by mouse, pen or finger: a ghost follows the pointer from the hand to a reader. */

const START_PX = 7;

/**
 * Let cards be dragged.
 * @param {Element} root
 * @param {(tag: string, seat: string, event: PointerEvent) => void} onDrop over that seat's reader
 */
export function letDrag(root, onDrop) {
  let held = null;

  const padAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-pad]");

  const over = (pad) => {
    if (held.pad === pad) return;
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
    const card = event.target.closest("[data-card]");
    if (!card || card.disabled || event.button !== 0) return;
    held = { card, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, pad: null };
  });

  addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.ghost) {
      if (far < START_PX) return;
      held.box = held.card.getBoundingClientRect();
      held.ghost = held.card.cloneNode(true);
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
    // The click that follows a drag is not meant.
    const swallow = (click) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (pad) onDrop(card.dataset.card, pad.dataset.pad, event);
  });

  addEventListener("pointercancel", end);
}
