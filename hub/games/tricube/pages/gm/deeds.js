/** Deeds of a tale in words, as the chronicle and those who wish for them tell them. */

import { list, pretty, t } from "#core/texts.js";
import { afflictionSaid } from "../lasting.js";

/** Texts side by side, or that there are none. @param {readonly string[]} texts */
const texts = (texts) => (texts.length ? list([...texts]) : t("tricube.lasting.none"));

/** What a sheet says from now on. @type {Record<string, (value: any) => string>} */
const SHEET = {
  concept: (words) => words,
  style: (style) => t(`tricube.style.${style}`),
  description: (words) => words || t("tricube.lasting.none"),
  perks: texts,
  quirks: texts,
  afflictions: (some) => texts(some.map((/** @type {{name: string, lasts?: string}} */ each) => afflictionSaid({ lasts: "longer", ...each }))),
};

/** Each part of a sheet that is said, by name. @param {Record<string, unknown>} deed @param {readonly string[]} keys @param {(key: string, value: any) => string} said */
const parts = (deed, keys, said) => list(keys.filter((key) => deed[key] !== undefined && deed[key] !== null).map((key) => t("tricube.deed.part", { what: t(`tricube.field.${key}`), value: said(key, deed[key]) })));

/** By what they do: which sentence, and what stands in it. @type {Record<string, (deed: any) => [string, Record<string, string>]>} */
const DEEDS = {
  session: () => ["session", {}],
  cure: ({ name, who, affliction, perks = [], complication }) => {
    const own = !who || who === name;
    const places = { affliction, who: pretty(who ?? ""), perks: list(perks), text: complication ?? "" };
    return [`cure${own ? "" : ".of"}${complication ? ".instead" : ""}`, places];
  },
  recover: ({ affliction }) => ["recover", { affliction }],
  convert: ({ affliction }) => ["convert", { affliction }],
  "gain-affliction": ({ affliction, lasts = "longer" }) => ["affliction", { affliction: afflictionSaid({ name: affliction, lasts }) }],
  gain: ({ what, words }) => [`gain.${what}`, { words }],
  lose: ({ what, words }) => [`lose.${what}`, { words }],
  "tokens-are": (deed) => ["sheet", { parts: parts(deed, ["karma", "karma_max", "resolve", "resolve_max"], (_, value) => String(value)) }],
  "sheet-is": (deed) => ["sheet", { parts: parts(deed, Object.keys(SHEET), (key, value) => SHEET[key]?.(value) ?? "") }],
  "is-dead": ({ dead = true }) => [dead ? "dead" : "lives", {}],
  join: () => ["join", {}],
  "take-place": ({ of }) => ["place", { of: pretty(of) }],
};

/**
 * A deed in words; null for one that every story has.
 * @param {any} deed
 */
export function deedSaid(deed) {
  if (!Object.hasOwn(DEEDS, deed.do)) return null;
  const [key, places] = DEEDS[deed.do]?.(deed) ?? ["", {}];
  return t(`tricube.deed.${key}`, { name: pretty(deed.name ?? ""), ...places });
}

/** What a player wishes for. @param {Record<string, unknown>} deed */
export const wished = (deed) => deedSaid(deed) ?? "";

/** Each is small, and stands on its form. */
export const atOnce = ["stakes", "cure", "recover", "convert", "gain-affliction", "gain", "lose", "tokens-are", "sheet-is", "join"];
