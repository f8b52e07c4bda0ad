/** Changes to the triangle's characters and turns, in words. */

import { t } from "#core/texts.js";
import { choiceName, specialName } from "../cards.js";
import { orderOf, sign, TYPES } from "../shapes.js";

/** One of several values. @type {Record<string, (value: string) => string>} */
const VALUES = {
  rested: (kind) => t(`gm.rest.${kind}`),
  zero: (type) => t(type),
  combos: (move) => choiceName("move", move),
};

const TRAITS = ["belief", "flaw", "goal"];

/** @param {string} trait */
const traitOf = (trait) => (/** @type {string} */ of) =>
  t(of === "marked" ? `gm.change.${trait}.marked` : `gm.change.${trait}`);

/** The subject of a change. @type {Record<string, (of: string) => string>} */
const ABOUT = {
  energy: (type) => t(type),
  max: (type) => t("gm.change.max", { type: t(type) }),
  specials: specialName,
  moves: (move) => choiceName("move", move),
  ...Object.fromEntries(TRAITS.map((trait) => [trait, traitOf(trait)])),
  combos: (move) => t("gm.change.combo", { move: choiceName("move", move) }),
};

/** @type {import("#core/types.js").Changes} */
export const changes = {
  about: ([what = "", of = ""]) => ABOUT[what]?.(of) ?? null,
  sign: ([what = "", type = ""]) => (what === "energy" && orderOf(type) >= 0 ? sign(type) : null),
  said: (what, value) => VALUES[what]?.(String(value)) ?? null,
  whole: ({ what: [kind, of = "", field], before, after }) => {
    // The last narrator of a problem is kept as a number, which means nothing to players.
    if (kind === "decided" && typeof after === "number") return "";
    if (TRAITS.includes(kind)) return of === "counted" ? "" : null;
    const card = { moves: (/** @type {string} */ id) => choiceName("move", id), specials: specialName }[kind];
    if (!card || !field) return null;
    if (field === "id") return t(after === null ? "gm.change.unlearns" : "gm.change.learns", { card: card(of) });
    if (before === null || after === null) return "";
    return kind === "specials" && field === "used"
      ? t(after ? "gm.change.used" : "gm.change.ready", { special: specialName(of) })
      : null;
  },
  follows: ["wish", "available", "specials_left", "step", "turn"],
  rank: ([kind, type = ""]) => (kind === "energy" ? orderOf(type) : TYPES.length),
};
