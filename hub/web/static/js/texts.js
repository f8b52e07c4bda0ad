/** The sentences of a page, from a plain file for each language. */

let texts = {};

/** Load the texts for the viewer: `?lang=`, else the browser's languages, else English. */
export async function loadTexts() {
  const offered = await (await fetch("static/texts/languages.json")).json();
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, ...navigator.languages, "en"].filter(Boolean);
  const language = wanted.map((tag) => tag.split("-")[0]).find((tag) => offered.includes(tag));
  texts = await (await fetch(`static/texts/${language}.json`)).json();
  document.documentElement.lang = language;
}

/**
 * A sentence with its `{places}` filled.
 * @param {string} key
 * @param {Object<string, unknown>} [places]
 */
export function t(key, places = {}) {
  if (!knows(key)) return key;
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => String(places[name] ?? ""));
}

/** Whether there is a text of this name. */
export const knows = (key) => Object.hasOwn(texts, key);

/** A name as people write it: `ada` is Ada, `elbow-clan` is Elbow clan. */
export function pretty(name) {
  if (name === "gm") return t("gm");
  const words = name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first letter of a sentence, large. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Names in a row: Ada, Bo and the GM. */
export function list(names) {
  const all = names.map(pretty);
  if (all.length < 2) return all.join("");
  return all.slice(0, -1).join(t("comma")) + t("and") + all.at(-1);
}
