/** Nobody can scroll a screen on a wall: what does not fit on a large one is drawn closer, then smaller. */

const LARGE = { width: 1000, height: 700 };
const SMALLER = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6];
const CLOSER = ["fit-1", "fit-w", "fit-2"];
/** How many of them, and which part of the size: a little smaller goes before what explains is left out. @type {Array<[number, number]>} */
const LEVELS = [[0, 1], [1, 1], [1, SMALLER[0]], [2, 1], [3, 1], ...SMALLER.map((part) => /** @type {[number, number]} */ ([3, part]))];

export class Fit {
  /** @param {HTMLElement} root of the page */
  constructor(root) {
    this.root = root;
    this.level = 0;
    this.what = "";
    this.place = "";
    /** How many elements there were when the next larger level had no room for them. */
    this.tooMany = Infinity;
  }

  /** The classes of the level that the page is drawn on. */
  get classes() {
    return CLOSER.slice(0, LEVELS[this.level][0]).join(" ");
  }

  /**
   * Make the page fit its screen, from the level on which it fitted before.
   * @param {string} where it is played: what had no room there may have it elsewhere
   * @param {string} what is shown: whether there is room for more is tried when that is another
   *   thing, and less. Each try lays the whole page out anew.
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
