// @ts-nocheck
/**
 * Why something is not possible, in the viewer's language. The hub says it in English, from
 * templates; `texts/reasons.xx.json` holds each template with its translation. What no template
 * fits stays English. In every language names are written as people write them.
 */

import { choiceName, specialName } from "../games/triangle/cards.js";
import { TYPES } from "../games/triangle/shapes.js";
import { isSpecial, nameSpecials } from "../games/triangle/specials.js";
import { knows, language, pretty, t } from "./texts.js";

/** The place in which a whole reason stands, or several. */
const REASON = "why";
const PLACE = /\{(\w+)\}/;
const MOVE = /^(attack|defend|grapple)-(high|mid|low|jump|spin)( [+-]1)?$/;
const ID = /^[a-z]+(-[a-z]+)+$/;
const POINTS = /^(attack|defend|grapple) \d+( (attack|defend|grapple) \d+)*$/;

let words = {};
let rules = [];
let heard = new Map();

/** Load the reasons of the language that the texts are in, and put those that are shown into it. */
export async function loadReasons() {
  const found = await catalogue(language());
  heard = new Map();
  words = found.words;
  rules = found.sentences.map(compiled).sort((one, other) => other.weight - one.weight);
  newest.forEach(explain);
}

async function catalogue(code) {
  const none = { words: {}, sentences: [] };
  if (code === "en") return none;
  const answer = await fetch(new URL(`../../texts/reasons.${code}.json`, import.meta.url));
  return answer.ok ? answer.json() : none;
}

/** A template as an expression for whole sentences; what has more words of its own is tried first. */
function compiled([english, translation]) {
  const parts = english.split(PLACE);
  const literals = parts.filter((_, at) => at % 2 === 0);
  const source = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)");
  return {
    literals,
    pattern: new RegExp(`^${source}$`, "su"),
    places: parts.filter((_, at) => at % 2 === 1),
    weight: literals.join("").length,
    translation,
  };
}

/**
 * A whole sentence by its template, or two of which the second is a remark; null if none fits.
 * `strictly`: nor if what stands in a place for a reason is in no words of this language.
 */
function sentence(text, strictly = false) {
  const at = text.endsWith(")") ? text.indexOf(" (") : -1;
  const [first, remark] = at < 0 ? [] : [fitting(text.slice(0, at), strictly), fitting(text.slice(at + 2, -1), strictly)];
  return first && remark ? `${first} (${remark})` : fitting(text, strictly);
}

function fitting(text, strictly) {
  for (const { literals, pattern, places, translation } of rules) {
    // Most are told apart by their own words, long before an expression has to try every split.
    if (!text.startsWith(literals[0]) || !literals.every((literal) => text.includes(literal))) continue;
    const found = pattern.exec(text);
    if (!found) continue;
    const reason = places.indexOf(REASON) + 1;
    if (strictly && reason && !inWords(found[reason])) return null;
    const values = Object.fromEntries(places.map((name, at) => [name, filled(name, found[at + 1])]));
    return translation.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }
  return null;
}

/** A word of the rules; null for any other. */
function word(text) {
  if (Object.hasOwn(words, text)) return words[text];
  if (TYPES.includes(text) || (text === "surrender" && knows(text))) return t(text);
  if (MOVE.test(text)) return choiceName("move", text);
  if (ID.test(text)) return specialName(text);
  return POINTS.test(text) ? text.replace(/[a-z]+/g, (type) => t(type)) : null;
}

const filled = (name, text) => (name === REASON && inWords(text)) || part(text);

/** What stands in a place: a word, a sentence, words in a row, or a name. */
function part(text) {
  const row = () => text.split(/(, | or | and )/).map((one) => word(one) ?? sentence(one) ?? joint(one)).join("");
  return word(text) ?? sentence(text) ?? row();
}

const joint = (text) => (/^ \w+ $/.test(text) && word(text.trim()) ? ` ${word(text.trim())} ` : text);

/** Several sentences in a row, or one behind the place that it is about; null if none fits. */
function composed(text) {
  for (let at = text.indexOf("; "); at > 0; at = text.indexOf("; ", at + 1)) {
    const first = alone(text.slice(0, at), true);
    const rest = first && inWords(text.slice(at + 2));
    if (rest) return `${first}; ${rest}`;
  }
  return null;
}

/** The place that a sentence is about: `sides:` in a word of the language, any other as it is. */
function about(place) {
  const named = place.endsWith(":") ? word(place.slice(0, -1)) : null;
  return named ? `${named}:` : place;
}

function alone(text, strictly = false) {
  const whole = sentence(text, strictly);
  if (whole) return whole;
  for (let at = text.indexOf(" "); at > 0 && text[at - 1] !== ";"; at = text.indexOf(" ", at + 1)) {
    const rest = sentence(text.slice(at + 1), strictly);
    if (rest) return `${about(text.slice(0, at))} ${rest}`;
  }
  return null;
}

/**
 * A reason in the language of the page; null if it stays English.
 * @param {string} text
 * @returns {string|null}
 */
export function inWords(text) {
  if (language() === "en") return text;
  if (!heard.has(text)) heard.set(text, composed(text) ?? alone(text));
  return heard.get(text);
}

/** Ids as the hub writes them, each a whole word; in quotes stands what is to be written just so. */
const IDS = /'[^']*'|(?<![\w-])[a-z]+(?:-[a-z]+)*(?: [+-]1| \d+)?(?![\w-])/g;
const STANCE = /^(attack|defend|grapple) \d+$/;

/** The characters of the table whose names are ids. */
const ids = new Set();

function nameKnown({ game, story, seats }) {
  const names = [...Object.keys(game?.characters ?? {}), ...Object.keys(story?.party ?? {}), ...seats.flatMap((seat) => seat.characters)];
  for (const name of names) if (/^[a-z]+(-[a-z]+)*$/.test(name)) ids.add(name);
}

/**
 * A reason with names in the place of ids: Attack High for attack-high, Ada for ada.
 * @param {string} text
 * @returns {string}
 */
export function prettified(text) {
  return text.replace(IDS, (found) => {
    if (MOVE.test(found)) return choiceName("move", found);
    if (STANCE.test(found)) return choiceName("stance", found);
    const [id, more = ""] = found.split(/(?= )/);
    if (ids.has(id)) return pretty(id) + more;
    return isSpecial(id) ? specialName(id) + more : found;
  });
}

const ENGLISH = Symbol("english");
const FRAMES = ["questions", "deeds", "hand", "console", "reply", "tell"];
const FIELDS = ["reason", "why"];

/** The newest frame of each kind, for a viewer who changes the language. */
const newest = new Map();

/**
 * A frame with its reasons in the language of the page: the same one, changed.
 * @template T
 * @param {T} frame
 * @returns {T}
 */
export function explained(frame) {
  if (frame.type === "state") nameKnown(frame);
  nameSpecials(frame);
  if (!FRAMES.includes(frame.type)) return frame;
  newest.set(`${frame.type} ${frame.seat ?? ""}`, frame);
  explain(frame);
  return frame;
}

function explain(value) {
  if (!value || typeof value !== "object") return;
  for (const field of FIELDS) {
    if (typeof value[field] !== "string" || !value[field]) continue;
    value[ENGLISH] ??= {};
    const english = (value[ENGLISH][field] ??= value[field]);
    value[field] = prettified(inWords(english) ?? english);
  }
  Object.values(value).forEach(explain);
}
