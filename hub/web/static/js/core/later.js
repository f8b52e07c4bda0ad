/** Loads parts of a page when they are first needed. */

/** @typedef {import("./types").Part} Part */

/** The style sheets that were added, by name. @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/**
 * Add a style sheet to the page once; a self-contained page, such as a recap, needs none.
 * @param {string} name
 * @returns {Promise<unknown>} settles when it is loaded or has failed
 */
export function fetchStyle(name) {
  const added = styles.get(name) ?? addStyle(name);
  styles.set(name, added);
  return added;
}

/** @param {string} name */
const addStyle = (name) =>
  new Promise((done) => {
    if (!document.querySelector("link[rel=stylesheet]")) return void done(null);
    const href = new URL(`../../css/${name}.css`, import.meta.url).href;
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: done }),
    );
  });

/** Redraw the page after something was loaded. */
export const redraw = () => dispatchEvent(new Event("resize"));

/**
 * A part that is drawn once its module has loaded, and empty before.
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
      fetch().then(
        (found) => {
          draw = found;
          redraw();
        },
        (error) => {
          console.error(error);
          asked = false;
        },
      );
    }
    return draw?.(...given);
  };
}

/** Load the fonts after the first paint, then redraw because text sizes change. */
export const dressSoon = () =>
  void requestAnimationFrame(() =>
    setTimeout(() => {
      document.fonts.addEventListener("loadingdone", redraw);
      fetchStyle("fonts");
    }),
  );
