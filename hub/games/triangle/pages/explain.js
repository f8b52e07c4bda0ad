/** Explains the triangle's words and specials before they are used. */

import { inRow } from "#core/grammar.js";
import { knows, t } from "#core/texts.js";
import { specialName } from "./cards.js";

/** @typedef {import("./wire").SpecialMeans} SpecialMeans */

/** Words explained by another word's text. @type {Record<string, string>} */
const SAME = { chance: "combo", out: "gone.out" };

/**
 * The effect of a special, when it can be played, and how often.
 * @param {SpecialMeans} special
 */
function special({ effect, windows, action, times, any_rest: anyRest, bystanders, on_top: onTop, tiring }) {
  const moments = inRow(
    windows.map((window) => t(`word.when.${window}`)),
    "or",
  );
  const once = anyRest ? "word.once.any" : "word.once.full";
  return [
    t(`word.does.${effect}`, { type: action ? t(action) : "" }),
    t("word.when", { moments }),
    times > 1 ? t("word.times", { times }) : t(once),
    onTop && t("word.on-top"),
    bystanders && t("word.bystanders"),
    tiring && t("word.tiring"),
  ].filter((each) => each !== false);
}

/**
 * The meaning of a word; null if it is not the triangle's.
 * @param {string} id
 * @param {Record<string, unknown>} means the hub's explanations of the viewer's own cards
 */
export function explain(id, means) {
  if (id === "special none") return { title: t("special.none"), text: [t("word.special.none")] };
  const same = SAME[id];
  if (same) return { title: t(`word.${same}`), text: [t(`word.${same}.more`)] };
  const known = /** @type {SpecialMeans|undefined} */ (means[id.split(" as ")[0] ?? ""]);
  if (!known || !knows(`word.does.${known.effect}`)) return null;
  return { title: specialName(id.slice("special ".length)), text: special(known) };
}
