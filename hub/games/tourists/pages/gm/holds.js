/** The GM's overrules of a Conflict in words: the form's fields, and the resulting sentence. */

import { knows, list, pretty, t } from "#core/texts.js";

/** @param {unknown} value */
const some = (value) => (Array.isArray(value) ? value : []);

/** A value in words, by kind. @type {Record<string, (value: any) => string>} */
const SAID = {
  what: (what) => t(`tourists.holds.${what}`),
  dominant: (party) => (party === null ? t("tourists.gm.nobody") : pretty(party)),
  card: (number) => t("tourists.own.number", { number }),
  "face-down": (number) => t("tourists.own.number", { number }),
  place: (to) => t(`tourists.place.${to}`),
  loss: (number) => t("tourists.gm.loss", { number }),
  outcome: (outcome) => t(`tourists.gm.outcome.${outcome}`),
};

/** @param {string} of @param {unknown} value */
export const said = (of, value) => (SAID[of] ? SAID[of](value) : pretty(String(value)));

/**
 * A flag's text.
 * @param {string} of
 * @param {boolean} yes
 */
export const flag = (of, yes) => t(yes ? `tourists.flag.${of}.yes` : `tourists.flag.${of}.no`);

/** A field's label. @param {string} of */
export const label = (of) => (knows(`tourists.field.${of}`) ? t(`tourists.field.${of}`) : pretty(of));

export const WORDING = { label, said, flag };

/** @param {number} number @param {boolean} reversed */
const lies = (number, reversed) =>
  t(`tourists.own.lies.${reversed ? "reversed" : "upright"}`, { card: said("card", number) });

/** @param {any} numbers */
const cards = (numbers) => list(some(numbers).map((number) => said("card", number)));

/**
 * The sentence of an overrule: its text key and placeholders, by subject.
 * @type {Record<string, (holds: any) => [string, Record<string, unknown>]>}
 */
const HELD = {
  control: ({ party = null, ranks = 0 }) => (party ? ["control", { party: pretty(party), ranks }] : ["balanced", {}]),
  card: ({ number, to, name = "", reversed = false }) => [
    `card.${to}`,
    { card: ["deck", "loss"].includes(to) ? said("card", number) : lies(number, reversed), name: pretty(name) },
  ],
  turned: ({ number, reversed, name }) => ["turned", { card: lies(number, reversed), name: pretty(name) }],
  lasting: ({ name, cards: marks, text = "" }) => [
    text ? "lasting.text" : "lasting",
    { name: pretty(name), cards: cards(marks), text },
  ],
  loss: ({ name, loss, text = "", who = "", face_down: down = [] }) => [
    some(down).length ? "loss.down" : "loss",
    { name: pretty(name), number: loss, text, who: pretty(who), cards: cards(down) },
  ],
  "no-loss": ({ name, number }) => ["no-loss", { name: pretty(name), card: said("card", number) }],
  tokens: ({ left }) => ["tokens", { left }],
  out: ({ name, out, wiped_out: wiped = false }) => [!out ? "in" : wiped ? "wiped-out" : "out", { name: pretty(name) }],
  outcome: ({ outcome, by = [] }) => [
    some(by).length ? "outcome.by" : "outcome",
    { outcome: said("outcome", outcome), by: list(some(by)) },
  ],
  against: ({ name, times }) => ["against", { name: pretty(name), times }],
};

/**
 * An overrule in words.
 * @param {any} holds
 */
export function held(holds) {
  const [key, places] = HELD[holds.what]?.(holds) ?? ["", {}];
  return key ? t(`tourists.held.${key}`, places) : pretty(String(holds.what));
}
