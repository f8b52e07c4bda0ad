/** The sentences of a page, from a plain file for each language. */

import { inRow, number, pluralForm } from "./grammar.js";

const KEPT = "facedown-language";

/** @type {Record<string, string>} */
let texts = {};
/** @type {string[]} */
let offered = [];
/** What is loaded of them, in whichever language; "" is all. @type {Set<string>} */
const parts = new Set();

/** A page that has to do without a hub holds them itself. @param {string} name */
const fetched = async (name) => {
  const held = document.getElementById(`text-${name}`);
  return held ? JSON.parse(held.textContent ?? "") : fetchedFile(name);
};

/** @param {string} name */
const fetchedFile = async (name) => (await fetch(new URL(`../../texts/${name}.json`, import.meta.url))).json();

/**
 * Load the texts for the viewer: `?lang=`, else what was chosen here before, else the browser's
 * languages, else English.
 * @param {string} [part] `.room`: without those of the pages that have a key
 */
export async function loadTexts(part = "") {
  offered = document.documentElement.dataset.languages?.split(" ") ?? await fetched("languages");
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
 * Load sentences that a page does without for now, too.
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
 * Change the language, for this browser from now on; the page has to be drawn anew.
 * @param {string} language one of `languages()`
 */
export async function setLanguage(language) {
  if (!offered.includes(language)) return;
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // A browser that keeps nothing changes its language until the page is left.
  }
  await use(language);
}

/** The languages that there are. */
export const languages = () => [...offered];

/** The language of the texts that are loaded. */
export const language = () => document.documentElement.lang;

/**
 * A sentence with its `{places}` filled. With a `count` among them the form of the language's
 * plural is taken, if there is one: `split.one`, else `split`.
 * @param {string} key
 * @param {Record<string, unknown>} [places]
 */
export function t(key, places = {}) {
  const form = "count" in places ? `${key}.${pluralForm(Number(places.count))}` : key;
  const found = [form, key].find(knows);
  if (!found) return key;
  return String(texts[found]).replace(/\{(\w+)\}/g, (_, name) => written(places[name] ?? ""));
}

/**
 * A value in a sentence. A name that runs from right to left is kept apart, or a number after it would stand before it.
 * @param {unknown} value
 */
const written = (value) => (typeof value === "number" ? number(value) : String(value).replace(/^.*[\u0590-\u08ff].*$/s, "\u2068$&\u2069"));

/**
 * Whether there is a text of this name.
 * @param {string} key
 */
export const knows = (key) => Object.hasOwn(texts, key);

/**
 * A name as people write it: `ada` is Ada, `elbow-clan` is Elbow clan.
 * @param {string} name
 */
export function pretty(name) {
  if (name === "gm") return t("gm");
  const words = name.replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A side's name: in the viewer's language where the table has made it up, else as it was given.
 * @param {string} side
 */
export const sideName = (side) => (knows(`side.${side}`) ? t(`side.${side}`) : pretty(side));

/**
 * A text as a sentence of its own: with a full stop, unless it ends with a mark already.
 * @param {string} text
 */
export const stopped = (text) => (!text || /[.?!…]$/.test(text) ? text : `${text}.`);

/**
 * The first letter of a sentence, large.
 * @param {string} text
 */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A seat by its name: Seat Ada, or The GM.
 * @param {string} seat
 */
export const seatName = (seat) => sentence(seat === "gm" ? pretty(seat) : t("seat", { seat: pretty(seat) }));

/**
 * Names in a row: Ada and the GM.
 * @param {string[]} names
 */
export const list = (names) => inRow(names.map(pretty));
