/** Tells whether an element is in the part of the page that the player sees. */

export class Sight {
  /**
   * @param {() => void} onChange
   * @param {IntersectionObserverInit} options how much of it must be seen, and what covers the edges
   */
  constructor(onChange, options) {
    this.away = false;
    /** @type {Element|null} */
    this.place = null;
    this.observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (this.away === !isIntersecting) return;
      this.away = !isIntersecting;
      onChange();
    }, options);
  }

  /**
   * Set the element; it counts as seen until the browser says otherwise.
   * @param {Element|null} place
   */
  watch(place) {
    if (place === this.place) return;
    this.place = place;
    this.observer.disconnect();
    if (place) this.observer.observe(place);
    else this.away = false;
  }
}
