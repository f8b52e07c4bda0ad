/** The texts of a page, from a JSON file for each language. */

import { inRow, number, pluralForm } from "./grammar.js";

const KEPT = "facedown-language";

/** @type {Record<string, string>} */
let texts = {};
/** @type {string[]} */
let offered = [];
/** The loaded parts, the same for each language; "" is all. @type {Set<string>} */
const parts = new Set();

/** A self-contained page holds its texts itself. @param {string} name */
const fetched = async (name) => {
  const held = document.getElementById(`text-${name}`);
  return held ? JSON.parse(held.textContent ?? "") : fetchedFile(name);
};

/** @param {string} name */
const fetchedFile = async (name) => (await fetch(new URL(`../../texts/${name}.json`, import.meta.url))).json();

/**
 * Load the texts in the viewer's language: `?lang=`, else the one chosen in this browser, else the
 * browser's languages, else English.
 * @param {string} [part] `.room`: only those that pages without a key need
 */
export async function loadTexts(part = "") {
  offered = document.documentElement.dataset.languages?.split(" ") ?? (await fetched("languages"));
  parts.add(part);
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked, chosen(), ...navigator.languages, "en"].filter(Boolean);
  const known = wanted.map((tag) => String(tag).split("-")[0] ?? "").find((tag) => offered.includes(tag));
  await use(known ?? "en");
}

/** @param {string} language */
async function use(language) {
  texts = {};
  document.documentElement.lang = language;
  for (const part of parts) await add(part);
}

/**
 * Load a further part of the texts.
 * @param {string} part
 */
export async function loadMore(part) {
  if (parts.has("")) return;
  parts.add(part);
  await add(part);
}

/** @param {string} part */
const add = async (part) => void Object.assign(texts, await fetched(`${language()}${part}`));

function chosen() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/**
 * Change the language in this browser; the page must be redrawn.
 * @param {string} language one of `languages()`
 */
export async function setLanguage(language) {
  if (!offered.includes(language)) return;
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // Without storage, the language changes only until the page is left.
  }
  await use(language);
}

/** The available languages. */
export const languages = () => [...offered];

/** The current language. */
export const language = () => document.documentElement.lang;

/**
 * A text with its `{places}` filled. With a `count` the plural form is used, if there is one:
 * `split.one`, else `split`. A list has commas, and before its last item the word that its place
 * names: `{names, and}`.
 * @param {string} key
 * @param {Record<string, unknown>} [places]
 */
export function t(key, places = {}) {
  const form = "count" in places ? `${key}.${pluralForm(Number(places.count))}` : key;
  const found = [form, key].find(knows);
  if (!found) return key;
  return String(texts[found]).replace(/\{(\w+)(?:, (or|and))?\}/g, (_, name, last) => filled(places[name] ?? "", last));
}

/**
 * A text that the hub has chosen: its key, and what fills its places.
 * @typedef {import("./wire").Said} Said
 */

/** @param {unknown} value @param {"or" | "and"} [last] @returns {string} */
function filled(value, last) {
  if (!Array.isArray(value)) return worded(value);
  const row = value.map(worded);
  return last ? inRow(row, last) : row.join(", ");
}

/** @param {unknown} value */
const worded = (value) =>
  value !== null && typeof value === "object" ? textOf(/** @type {Said} */ (value)) : written(value);

/**
 * A text that the hub has chosen, in the viewer's language.
 * @param {Said} said
 */
export const textOf = ({ key, places = {} }) => t(key, places);

/**
 * The same as a sentence.
 * @param {Said} said
 */
export const sentenceOf = (said) => stopped(sentence(textOf(said)));

/**
 * A value within a text. A right-to-left name is isolated, or else a number after it would be shown
 * before it.
 * @param {unknown} value
 */
const written = (value) =>
  typeof value === "number" ? number(value) : String(value).replace(/^.*[\u0590-\u08ff].*$/s, "\u2068$&\u2069");

/**
 * Whether a text exists.
 * @param {string} key
 */
export const knows = (key) => Object.hasOwn(texts, key);

/**
 * A display name: `ada` is Ada, `elbow-clan` is Elbow clan.
 * @param {string} name
 */
export function pretty(name) {
  if (name === "gm") return t("gm");
  const words = name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A side's name: translated if the table made it up, else as given.
 * @param {string} side
 */
export const sideName = (side) => (knows(`side.${side}`) ? t(`side.${side}`) : pretty(side));

/**
 * A text with a full stop, unless it ends with a mark already.
 * @param {string} text
 */
export const stopped = (text) => (!text || /[.?!…]$/.test(text) ? text : `${text}.`);

/**
 * A text with its first letter capitalised.
 * @param {string} text
 */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A seat by its name: Seat Ada, or The GM.
 * @param {string} seat
 */
export const seatName = (seat) => sentence(seat === "gm" ? pretty(seat) : t("seat", { seat: pretty(seat) }));

/**
 * A list of names: Ada and the GM.
 * @param {string[]} names
 */
export const list = (names) => inRow(names.map(pretty));
