/** Whether somebody of this seat is wanted who does not see it: the page was scrolled, or shows another one. */

import { h } from "../../core/dom.js";
import { pretty, t } from "../../core/texts.js";

export class Wanted {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.away = false;
    /** @type {Element|null} */
    this.place = null;
    this.observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (this.away === !isIntersecting) return;
      this.away = !isIntersecting;
      onChange();
    }, { rootMargin: "-80px 0px -120px" });
  }

  /**
   * Where it is asked.
   * @param {Element|null} place
   */
  watch(place) {
    if (place === this.place) return;
    this.place = place;
    this.observer.disconnect();
    if (place) this.observer.observe(place);
  }

  /**
   * The bar that brings one there; null where nobody has to be brought.
   * @param {string[]} wanted who is
   * @param {string} current whom the page shows
   * @param {string} what is wanted of that one
   */
  bar(wanted, current, what) {
    const here = wanted.includes(current);
    const name = here ? (this.away ? current : "") : wanted[0];
    if (!name) return null;
    const text = here ? t("own.wanted", { what }) : t("own.wanted.other", { name: pretty(name) });
    return h("button", { type: "button", class: "own-wanted", key: "wanted", "data-come": name }, h("span", { "aria-hidden": "true" }, "↑"), h("b", {}, text));
  }
}
