/** What the browser remembers for a page: nothing where storage is off or full. */

/**
 * Return what is remembered under a name; null if nothing is.
 * @param {string} name
 * @param {string} [value] to remember from now on
 */
export function remembered(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return value ?? null;
  }
}
