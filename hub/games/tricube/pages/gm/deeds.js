/** Deeds of a tale in words, for the chronicle and for players' wishes. */

import { list, pretty, t } from "#core/texts.js";
import { afflictionSaid } from "../lasting.js";

/** A list of texts, or a word for none. @param {readonly string[]} texts */
const texts = (texts) => (texts.length ? list([...texts]) : t("tricube.lasting.none"));

/** The new parts of a sheet, in words. @type {Record<string, (value: any) => string>} */
const SHEET = {
  concept: (words) => words,
  style: (style) => t(`tricube.style.${style}`),
  description: (words) => words || t("tricube.lasting.none"),
  perks: texts,
  quirks: texts,
  afflictions: (some) =>
    texts(
      some.map((/** @type {{name: string, lasts?: string}} */ each) => afflictionSaid({ lasts: "longer", ...each })),
    ),
};

/**
 * The given parts of a deed, each with its label.
 * @param {Record<string, unknown>} deed
 * @param {readonly string[]} keys
 * @param {(key: string, value: any) => string} said
 */
const parts = (deed, keys, said) =>
  list(
    keys
      .filter((key) => deed[key] !== undefined && deed[key] !== null)
      .map((key) => t("tricube.deed.part", { what: t(`tricube.field.${key}`), value: said(key, deed[key]) })),
  );

/**
 * By `do`: the text's key and its placeholders.
 * @type {Record<string, (deed: any) => [string, Record<string, string>]>}
 */
const DEEDS = {
  session: () => ["session", {}],
  cure: ({ name, who, affliction, perks = [], complication }) => {
    const own = !who || who === name;
    const places = { affliction, who: pretty(who ?? ""), perks: list(perks), text: complication ?? "" };
    return [`cure${own ? "" : ".of"}${complication ? ".instead" : ""}`, places];
  },
  recover: ({ affliction }) => ["recover", { affliction }],
  convert: ({ affliction }) => ["convert", { affliction }],
  "gain-affliction": ({ affliction, lasts = "longer" }) => [
    "affliction",
    { affliction: afflictionSaid({ name: affliction, lasts }) },
  ],
  gain: ({ what, words }) => [`gain.${what}`, { words }],
  lose: ({ what, words }) => [`lose.${what}`, { words }],
  "tokens-are": (deed) => [
    "sheet",
    { parts: parts(deed, ["karma", "karma_max", "resolve", "resolve_max"], (_, value) => String(value)) },
  ],
  "sheet-is": (deed) => [
    "sheet",
    { parts: parts(deed, Object.keys(SHEET), (key, value) => SHEET[key]?.(value) ?? "") },
  ],
  "is-dead": ({ dead = true }) => [dead ? "dead" : "lives", {}],
  join: () => ["join", {}],
  "take-place": ({ of }) => ["place", { of: pretty(of) }],
};

/**
 * A deed in words; null for one common to all stories.
 * @param {any} deed
 */
export function deedSaid(deed) {
  if (!Object.hasOwn(DEEDS, deed.do)) return null;
  const [key, places] = DEEDS[deed.do]?.(deed) ?? ["", {}];
  return t(`tricube.deed.${key}`, { name: pretty(deed.name ?? ""), ...places });
}

/** A player's wish in words. @param {Record<string, unknown>} deed */
export const wished = (deed) => deedSaid(deed) ?? "";

/** Each is small, and visible on its form. */
export const atOnce = [
  "stakes",
  "cure",
  "recover",
  "convert",
  "gain-affliction",
  "gain",
  "lose",
  "tokens-are",
  "sheet-is",
  "join",
];
