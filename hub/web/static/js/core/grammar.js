/** Numbers, lists and plurals in the page's language, from `Intl`. */

/** @type {{language: string, numbers: Intl.NumberFormat, and: Intl.ListFormat, or: Intl.ListFormat, plurals: Intl.PluralRules}|null} */
let made = null;

function tools() {
  const language = document.documentElement.lang || "en";
  if (made?.language !== language) {
    made = {
      language,
      numbers: new Intl.NumberFormat(language),
      // Plain "en" is American, with a comma before the last "and"; the books use none.
      and: new Intl.ListFormat(language === "en" ? "en-GB" : language),
      or: new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "disjunction" }),
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
 * A list: Ada, Bo and the GM.
 * @param {string[]} things
 * @param {"and" | "or"} [last] the word before the last item
 */
export const inRow = (things, last = "and") => tools()[last].format(things);

/**
 * The plural form for a count: `one`, `few`, `other` …
 * @param {number} count
 */
export const pluralForm = (count) => tools().plurals.select(count);
