/** A page that was scrolled away comes to its question when another one is asked. */

const WRITES = "input, select, textarea";

export class Coming {
  /** @param {Element} root of the page */
  constructor(root) {
    Object.assign(this, { root, asked: "", owed: false, held: false });
    for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
      addEventListener(name, () => (this.held = name === "pointerdown"), { passive: true });
    }
  }

  /**
   * After a drawing.
   * @param {string} asked what is asked now; empty when nothing is
   * @param {boolean} choosing whether a card is picked: nobody is torn away from that
   */
  drawn(asked, choosing) {
    if (asked !== this.asked) this.owed = asked !== "";
    this.asked = asked;
    if (!this.owed || choosing || this.held || document.activeElement?.matches(WRITES)) return;
    this.owed = false;
    this.root.querySelector(".own-do")?.scrollIntoView();
  }
}
