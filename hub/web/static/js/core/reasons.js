/**
 * Words the hub's reasons in the viewer's language: `texts/reasons.xx.json` has a sentence for each
 * code. A code without one is shown in the hub's English.
 */

import { cardOf } from "./game.js";
import { inRow, number, pluralForm } from "./grammar.js";
import { language, pretty } from "./texts.js";

/**
 * @typedef {{code: string, values: Object<string, Value>}} Reason
 * @typedef {string | number | Reason | (string | Reason)[]} Value
 */

const PLACE = /\{(\w+)(?:, (or|and))?\}/g;
/** Advice on what to choose instead: useless where the alternatives are next to it. */
const ADVICE = " ({advice})";
const ID = /^[a-z]+(-[a-z]+)*( [+-]1)?$/;

/** @type {Object<string, string>} */
let sentences = {};

/** Load the sentences of the current language, and reword the reasons that are shown. */
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

/** How to word a value, by its key, which means the same in every reason. Others are not worded. */
const SAID = {
  ...{ who: name, other: name, name, names: name, winner: name, victim: name },
  ...{ move, moves: move, start: move, special, specials: special, copying: special },
  ...{ what: word, kind: word, type: word, types: word, trait: word, rest: word, way: word, ways: word },
  ...{ things: word, chosen: word, missing: word, place: word },
};

/**
 * A reason as a sentence; null if this language has none for it.
 * @param {Reason} reason
 * @param {boolean} [among] whether it is shown among all the choices
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
 * @param {"or" | "and"} [last] the word before the last item of a list
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

/** The newest frame of each kind, to be reworded when the viewer changes the language. */
const newest = new Map();

/**
 * Word a frame's reasons in the page's language. Changes and returns the same frame.
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
