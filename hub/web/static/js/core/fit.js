/** Fits the page on a large screen, where no viewer can scroll: draws it tighter, then smaller. */

const LARGE = { width: 1000, height: 700 };
const SMALLER = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];
const CLOSER = ["fit-1", "fit-w", "fit-2"];
/**
 * Number of `CLOSER` classes, and font scale. The page shrinks a little before explanations are
 * left out.
 * @type {Array<[number, number]>}
 */
const LEVELS = [
  [0, 1],
  [1, 1],
  [1, SMALLER[0]],
  [2, 1],
  [3, 1],
  ...SMALLER.map((part) => /** @type {[number, number]} */ ([3, part])),
];

export class Fit {
  /** @param {HTMLElement} root of the page */
  constructor(root) {
    this.root = root;
    this.level = 0;
    this.what = "";
    this.place = "";
    /** Number of elements when the next larger level was too small for them. */
    this.tooMany = Infinity;
  }

  /** The classes of the current level. */
  get classes() {
    return CLOSER.slice(0, LEVELS[this.level][0]).join(" ");
  }

  /**
   * Make the page fit its screen, starting from the last level that did.
   * @param {string} where identifies the scene: elsewhere the same content may fit
   * @param {string} what identifies the content: a larger level is tried only when it changes and
   *   has fewer elements, because each try lays out the whole page
   */
  fit(where, what) {
    const page = document.documentElement;
    const place = `${where} ${innerWidth} ${innerHeight}`;
    if (place !== this.place) this.tooMany = Infinity;
    const anew = this.what !== what || place !== this.place;
    Object.assign(this, { what, place });
    if (innerWidth < LARGE.width || innerHeight < LARGE.height) return this.take(0);
    const over = () => page.scrollHeight > innerHeight;
    const before = this.level;
    const many = this.root.getElementsByTagName("*").length;
    while (over() && this.level < LEVELS.length - 1) this.take(this.level + 1);
    if (this.level > before) this.tooMany = many;
    if (!anew || many >= this.tooMany) return;
    while (this.level > 0) {
      this.take(this.level - 1);
      if (!over()) continue;
      this.tooMany = many;
      return this.take(this.level + 1);
    }
    this.tooMany = Infinity;
  }

  /** @param {number} level */
  take(level) {
    if (level === this.level) return;
    const page = document.documentElement;
    const [closer, part] = LEVELS[level];
    this.level = level;
    CLOSER.forEach((name, at) => this.root.classList.toggle(name, at < closer));
    page.style.fontSize = "";
    if (part < 1) page.style.fontSize = `${Number.parseFloat(getComputedStyle(page).fontSize) * part}px`;
  }
}
