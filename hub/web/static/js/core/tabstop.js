// @ts-nocheck
/** The card that is picked, and the button that seals it, wherever on the page the two are. */

const PICKED = '[data-pick][aria-pressed="true"]';
const SEAL = ".seals";

/**
 * Let Tab lead from the picked card to the button that seals it, and Shift and Tab back.
 * @param {Element} root
 */
export function letSeal(root) {
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
    const [from, to] = event.shiftKey ? [SEAL, PICKED] : [PICKED, SEAL];
    const there = event.target.closest?.(from) && root.querySelector(to);
    if (!there) return;
    there.focus();
    event.preventDefault();
  });
}
