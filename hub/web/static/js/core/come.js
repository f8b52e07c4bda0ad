/** Scrolls a page to its question when a new one is asked. */

const WRITES = "input, select, textarea";

export class Coming {
  /**
   * @param {HTMLElement} root of the page
   * @param {...string} places selectors of where questions appear; the first that exists is used
   */
  constructor(root, ...places) {
    this.root = root;
    this.places = places;
    this.asked = "";
    this.owed = false;
    this.held = false;
    for (const name of ["pointerdown", "pointerup", "pointercancel"]) {
      addEventListener(name, () => (this.held = name === "pointerdown"), { passive: true });
    }
  }

  /**
   * Call after each drawing.
   * @param {string} asked identifies the current question; empty if there is none
   * @param {boolean} busy whether the player is in the middle of something and must not be
   *   interrupted
   */
  drawn(asked, busy) {
    if (asked !== this.asked) this.owed = asked !== "";
    this.asked = asked;
    if (!this.owed || busy || this.held || document.activeElement?.matches(WRITES)) return;
    this.come();
  }

  /** Scroll to the question, unless it is in sight. */
  come() {
    this.owed = false;
    const place = this.places.map((one) => this.root.querySelector(one)).find(Boolean);
    if (place && !isInSight(place)) place.scrollIntoView();
  }
}

/**
 * Whether its top is in the upper half of the uncovered part of the window.
 * @param {Element} place
 */
function isInSight(place) {
  const { top } = place.getBoundingClientRect();
  const covered = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return top >= covered && top < innerHeight / 2;
}
