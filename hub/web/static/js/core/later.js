/** What a page does without at first, and fetches when it comes to it. */

/** @typedef {import("./types").Part} Part */

/**
 * Add a style sheet to the page; a page that has them all inside, as a recap has, fetches none.
 * @param {string} name
 * @returns {Promise<unknown>} done when it holds, or cannot be had
 */
export const fetchStyle = (name) =>
  new Promise((done) => {
    if (!document.querySelector("link[rel=stylesheet]")) return void done(null);
    const href = new URL(`../../css/${name}.css`, import.meta.url).href;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: done }));
  });

/** Draw the page again: what it lacked has come. */
export const redraw = () => dispatchEvent(new Event("resize"));

/**
 * A part that is drawn as soon as what draws it has come; nothing before.
 * @template {unknown[]} Given
 * @param {() => Promise<(...given: Given) => Part>} fetch
 * @returns {(...given: Given) => Part}
 */
export function later(fetch) {
  /** @type {((...given: Given) => Part)|null} */
  let draw = null;
  let asked = false;
  return (...given) => {
    if (!asked) {
      asked = true;
      fetch().then((found) => {
        draw = found;
        redraw();
      }, (error) => {
        console.error(error);
        asked = false;
      });
    }
    return draw && draw(...given);
  };
}

/** Fetch the fonts, after the first paint; with them what stands there has another size. */
export const dressSoon = () => void requestAnimationFrame(() => setTimeout(() => {
  document.fonts.addEventListener("loadingdone", redraw);
  fetchStyle("fonts");
}));
