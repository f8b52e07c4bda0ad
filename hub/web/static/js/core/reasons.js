/**
 * Why something is not possible, in the viewer's language: `texts/reasons.xx.json` holds a sentence
 * for each code that the hub gives. A code that is not there is said as the hub says it, in English.
 */

import { cardOf } from "./game.js";
import { inRow, number, pluralForm } from "./grammar.js";
import { language, pretty } from "./texts.js";

/**
 * @typedef {{code: string, values: Object<string, Value>}} Reason
 * @typedef {string | number | Reason | (string | Reason)[]} Value
 */

const PLACE = /\{(\w+)(?:, (or|and))?\}/g;
/** What one could choose instead: of no use where that lies beside it. */
const ADVICE = " ({advice})";
const ID = /^[a-z]+(-[a-z]+)*( [+-]1)?$/;

/** @type {Object<string, string>} */
let sentences = {};

/** Load the sentences of the language that the texts are in, and say those that are shown in it. */
export async function loadReasons() {
  const answer = await fetch(new URL(`../../texts/reasons.${language()}.json`, import.meta.url));
  sentences = answer.ok ? await answer.json() : {};
  newest.forEach(explain);
}

/** @param {string} text */
const name = (text) => (ID.test(text) ? pretty(text) : text);
/** @param {string} text */
const move = (text) => (ID.test(text) ? cardOf("move", text).name : text);
/** @param {string} text */
const special = (text) => (ID.test(text) ? cardOf("special", text).name : text);
/** @param {string} text a word of the rules */
const word = (text) => sentences[`word.${text}`] ?? text;

/** How a value is said: its key tells what it is, the same in every reason. Any other is said as it is. */
const SAID = {
  ...{ who: name, other: name, name, names: name, winner: name, victim: name },
  ...{ move, moves: move, start: move, special, specials: special, copying: special },
  ...{ what: word, kind: word, type: word, types: word, trait: word, rest: word, way: word, ways: word },
  ...{ things: word, chosen: word, missing: word, place: word },
};

/**
 * A reason as a sentence; null if this language has none for it.
 * @param {Reason} reason
 * @param {boolean} [among] whether it stands among all that could be chosen
 * @returns {string | null}
 */
export function inWords({ code, values }, among = false) {
  const form = typeof values.count === "number" ? `${code}.${pluralForm(values.count)}` : code;
  const text = sentences[form] ?? sentences[code];
  if (text === undefined) return null;
  return (among ? text.replace(ADVICE, "") : text).replace(PLACE, (_, key, last) => said(key, values[key], last));
}

/**
 * @param {string} key
 * @param {Value} value
 * @param {"or" | "and"} [last] the word before the last one of a list
 * @returns {string}
 */
function said(key, value, last) {
  if (Array.isArray(value)) {
    const row = value.map((each) => said(key, each));
    return last ? inRow(row, last) : row.join(key === "why" ? "; " : ", ");
  }
  if (typeof value === "number") return number(value);
  if (typeof value === "object") return inWords(value) ?? value.code;
  return SAID[/** @type {keyof typeof SAID} */ (key)]?.(value) ?? value;
}

const FRAMES = ["questions", "deeds", "hand", "console", "reply", "tell", "preview"];

/** The newest frame of each kind, for a viewer who changes the language. */
const newest = new Map();

/**
 * A frame with its reasons in the language of the page: the same one, changed.
 * @template {{type: string, seat?: string}} T
 * @param {T} frame
 * @returns {T}
 */
export function explained(frame) {
  if (!FRAMES.includes(frame.type)) return frame;
  newest.set(`${frame.type} ${frame.seat ?? ""}`, frame);
  explain(frame);
  return frame;
}

/** @param {unknown} value */
function explain(value) {
  if (!value || typeof value !== "object") return;
  const said = /** @type {{why?: Reason|null, reason?: string, choice?: string}} */ (value);
  if (said.why?.code) said.reason = inWords(said.why, Boolean(said.choice)) ?? said.reason;
  for (const each of Object.values(value)) explain(each);
}
