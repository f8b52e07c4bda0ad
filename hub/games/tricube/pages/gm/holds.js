/** The GM's overrules of a tale in words: the form's fields, and the resulting sentence. */

import { inRow } from "#core/grammar.js";
import { knows, pretty, t } from "#core/texts.js";

/** A value in words, by kind. @type {Record<string, (value: any) => string>} */
const SAID = {
  what: (what) => t(`tricube.holds.${what}`),
  lasts: (lasts) => t(`tricube.lasts.${lasts}`),
  affliction: (name) => name,
  quirk: (name) => name,
};

/** @param {string} of @param {unknown} value */
export const said = (of, value) => (SAID[of] ? SAID[of](value) : pretty(String(value)));

/**
 * A flag's text.
 * @param {string} of
 * @param {boolean} yes
 */
export const flag = (of, yes) => t(yes ? `tricube.holds.${of}.yes` : `tricube.holds.${of}.no`);

/** A field's label. @param {string} of */
export function label(of) {
  const own = `tricube.holds.of.${of}`;
  return knows(own) ? t(own) : knows(`tricube.field.${of}`) ? t(`tricube.field.${of}`) : pretty(of);
}

export const WORDING = { label, said, flag };

/**
 * A part within a sentence: 2 karma.
 * @param {string} key
 * @param {unknown} value
 */
const part = (key, value) =>
  t(`tricube.held.part.${key}${typeof value === "boolean" ? (value ? ".yes" : ".no") : ""}`, {
    value,
    ...(typeof value === "number" && { count: value }),
  });

/** @param {any} holds @param {string[]} keys */
const parts = (holds, keys) =>
  inRow(keys.filter((key) => holds[key] !== undefined && holds[key] !== null).map((key) => part(key, holds[key])));

/**
 * The sentence of an overrule: its text key and placeholders, by subject.
 * @type {Record<string, (holds: any) => [string, Record<string, unknown>]>}
 */
const HELD = {
  dice: ({ name, dice }) => ["dice", { name: pretty(name), dice: dice.join(" ") }],
  difficulty: ({ name, difficulty }) => ["difficulty", { name: pretty(name), difficulty }],
  "no-roll": () => ["no-roll", {}],
  challenge: (holds) => [
    "is",
    { name: holds.name, parts: parts(holds, ["difficulty", "effort", "left", "deadly", "over"]) },
  ],
  "no-challenge": ({ name }) => ["no-challenge", { name }],
  bypassed: ({ name, who, bypassed = true }) => [bypassed ? "bypassed" : "bypassed.not", { name, who: pretty(who) }],
  tokens: (holds) => [
    "is",
    { name: pretty(holds.name), parts: parts(holds, ["karma", "karma_max", "resolve", "resolve_max"]) },
  ],
  out: ({ name, out = true }) => [out ? "out" : "in", { name: pretty(name) }],
  dead: ({ name, dead = true }) => [dead ? "dead" : "alive", { name: pretty(name) }],
  affliction: ({ name, affliction, lasts = "longer" }) => [
    "affliction",
    { name: pretty(name), affliction, lasts: said("lasts", lasts) },
  ],
  "no-affliction": ({ name, affliction }) => ["no-affliction", { name: pretty(name), affliction }],
  quirk: ({ name, quirk }) => ["quirk", { name: pretty(name), quirk }],
  "no-quirk": ({ name, quirk }) => ["no-quirk", { name: pretty(name), quirk }],
};

/**
 * An overrule in words.
 * @param {any} holds
 */
export function held(holds) {
  const [key, places] = HELD[holds.what]?.(holds) ?? ["", {}];
  return key ? t(`tricube.held.${key}`, places) : pretty(String(holds.what));
}
