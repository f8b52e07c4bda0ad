/** Numbers, lists and plurals of the page's language, as the browser knows them. */

/** @type {{language: string, numbers: Intl.NumberFormat, lists: Intl.ListFormat, plurals: Intl.PluralRules}|null} */
let made = null;

function tools() {
  const language = document.documentElement.lang || "en";
  if (made?.language !== language) {
    made = {
      language,
      numbers: new Intl.NumberFormat(language),
      // Plain "en" is American, with a comma before the last "and"; the books write none.
      lists: new Intl.ListFormat(language === "en" ? "en-GB" : language),
      plurals: new Intl.PluralRules(language),
    };
  }
  return made;
}

/**
 * A number with the language's digits and separators.
 * @param {number} value
 */
export const number = (value) => tools().numbers.format(value);

/**
 * Things in a row: Ada, Bo and the GM.
 * @param {string[]} things
 */
export const inRow = (things) => tools().lists.format(things);

/**
 * The plural form that goes with a count: `one`, `few`, `other` …
 * @param {number} count
 */
export const pluralForm = (count) => tools().plurals.select(count);
