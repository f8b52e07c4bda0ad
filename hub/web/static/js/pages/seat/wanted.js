/** Detects that a wanted character is out of sight: the page is scrolled, or shows another one. */

import { h } from "../../core/dom.js";
import { pretty, t } from "../../core/texts.js";

export class Wanted {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.away = false;
    /** @type {Element|null} */
    this.place = null;
    this.observer = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        if (this.away === !isIntersecting) return;
        this.away = !isIntersecting;
        onChange();
      },
      { rootMargin: "-80px 0px -120px" },
    );
  }

  /**
   * Set the element with the question.
   * @param {Element|null} place
   */
  watch(place) {
    if (place === this.place) return;
    this.place = place;
    this.observer.disconnect();
    if (place) this.observer.observe(place);
  }

  /**
   * The bar that leads to the question; null if it is in sight.
   * @param {string[]} wanted the wanted characters
   * @param {string} current the character shown
   * @param {string} what its task
   */
  bar(wanted, current, what) {
    const here = wanted.includes(current);
    const name = here ? (this.away ? current : "") : wanted[0];
    if (!name) return null;
    const text = here ? t("own.wanted", { what }) : t("own.wanted.other", { name: pretty(name) });
    return h(
      "button",
      { type: "button", class: "own-wanted", key: "wanted", "data-come": name },
      h("span", { "aria-hidden": "true" }, "↑"),
      h("b", {}, text),
    );
  }
}
