/** Changes of a character's sheet, in words. */

import { t } from "#core/texts.js";
import { afflictionSaid } from "../lasting.js";

const ORDER = [
  "trait",
  "concept",
  "style",
  "description",
  "karma",
  "karma_max",
  "resolve",
  "resolve_max",
  "perks",
  "quirks",
  "afflictions",
  "absent",
];

/** @type {import("#core/types.js").Changes} */
export const changes = {
  about: ([key = ""]) => {
    if (["perks", "quirks", "afflictions"].includes(key)) return t(`tricube.lasting.${key}`);
    return ORDER.includes(key) && key !== "absent" ? t(`tricube.field.${key}`) : null;
  },
  sign: () => null,
  said(what, value) {
    if (what === "style" || what === "trait") return t(`tricube.${what}.${value}`);
    if (what === "afflictions" && typeof value === "object" && value)
      return afflictionSaid(/** @type {{name: string, lasts: string}} */ (value));
    return null;
  },
  whole({ what: [kind], after }) {
    if (kind === "dead") return ""; // told by `absent`
    if (kind !== "absent") return null;
    return after === null ? t("tricube.change.back") : t(`tricube.change.${after}`);
  },
  follows: ["dead"],
  rank: ([key = ""]) => ORDER.indexOf(key),
};
