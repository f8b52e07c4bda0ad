/** The GM's overrules in words: the form's fields, and the resulting sentence. */

import { knows, list, pretty, sideName, t } from "#core/texts.js";
import { choiceName, specialName } from "../cards.js";
import { orderOf, TYPES } from "../shapes.js";

/** A value in words, by kind. @type {Record<string, (value: any) => string>} */
const SAID = {
  what: (what) => t(what === "zero" ? "gm.at-zero" : `gm.holds.${what}`), // a key that ends with a number word is a plural form
  move: (move) => choiceName("move", move),
  known: ({ id, variant = "" }) => choiceName("move", `${id} ${variant}`.trim()),
  special: specialName,
  type: (type) => t(type),
  rest: (kind) => t(`gm.rest.${kind}`),
  option: (number) => `${number} ${t(`option.${number}`)}`,
  background: (name) => name,
  victim: (name) => (name ? t("gm.holds.against", { name: pretty(name) }) : t("gm.holds.no-combo")),
  played: ({ name, move }) => `${pretty(name)}: ${choiceName("move", move)}`,
  winner: (name) => (name === null ? t("tie") : t("gm.overrule.won", { name: pretty(name) })),
  side: (side) => (side === null ? t("gm.overrule.nobody") : t("over", { side: sideName(side) })),
};

/** @param {string} of @param {any} value */
export const said = (of, value) => (SAID[of] ? SAID[of](value) : pretty(String(value)));

/**
 * A flag's text.
 * @param {string} of
 * @param {boolean} yes
 */
export const flag = (of, yes) => t(`gm.flag.${of}.${yes ? "yes" : "no"}`);

/** A field's label. @param {string} of */
export const label = (of) => (orderOf(of) >= 0 ? t(of) : knows(`gm.field.${of}`) ? t(`gm.field.${of}`) : pretty(of));

export const WORDING = { label, said, flag };

/** The kind of each key's value. @type {Record<string, string>} */
const OF = { moves: "move", types: "type", rests: "rest", cards: "played", against: "victim" };

/** @param {string} what @param {string} key @param {any} value */
function part(what, key, value) {
  if (key === "energy") return list(TYPES.map((type) => `${t(type)} ${value[type] ?? 0}`));
  if (typeof value === "boolean") return flag(key, value);
  if (typeof value === "number" && key !== "option") return `${label(key)} ${value}`;
  const of = what === "end" ? "side" : (OF[key] ?? key);
  if (!Array.isArray(value)) return said(of, value);
  return value.length ? list(value.map((each) => said(of, each))) : t("gm.change.nothing");
}

/**
 * An overrule in words: Ada: Attack 3, Defend 2 and Grapple 1.
 * @param {any} holds
 */
export function held({ what, name, ...more }) {
  const parts = Object.entries(more)
    .filter(([key, value]) => key !== "cards" || value.length)
    .map(([key, value]) => part(what, key, value));
  const plain = ["energy", "turn", "end", "combo", "option", "special", "out", "dead", "sits-out", "outcome"].includes(
    what,
  );
  const text = [...(plain ? [] : [said("what", what)]), ...parts].join(", ");
  return name === undefined ? text : `${pretty(name)}: ${text}`;
}
