/** A page that was scrolled away comes to its question when another one is asked. */

const WRITES = "input, select, textarea";

export class Coming {
  /**
   * @param {HTMLElement} root of the page
   * @param {...string} places where it is asked: the first that there is of these selectors
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
   * After a drawing.
   * @param {string} asked what is asked now; empty when nothing is
   * @param {boolean} busy whether somebody is in the middle of something: nobody is torn away from that
   */
  drawn(asked, busy) {
    if (asked !== this.asked) this.owed = asked !== "";
    this.asked = asked;
    if (!this.owed || busy || this.held || document.activeElement?.matches(WRITES)) return;
    this.come();
  }

  /** Come to where it is asked, unless that is in sight. */
  come() {
    this.owed = false;
    const place = this.places.map((one) => this.root.querySelector(one)).find(Boolean);
    if (place && !isInSight(place)) place.scrollIntoView();
  }
}

/**
 * Whether its top stands in the upper half of what is not covered.
 * @param {Element} place
 */
function isInSight(place) {
  const { top } = place.getBoundingClientRect();
  const covered = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return top >= covered && top < innerHeight / 2;
}
