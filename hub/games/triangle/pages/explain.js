/** What the triangle's words and specials mean, before they are used. */

import { inRow } from "#core/grammar.js";
import { knows, t } from "#core/texts.js";
import { specialName } from "./cards.js";

/** @typedef {import("./wire").SpecialMeans} SpecialMeans */

/** What is explained as another word is. @type {Record<string, string>} */
const SAME = { chance: "combo", out: "gone.out" };

/**
 * What a special does, when it can be set down, and how often.
 * @param {SpecialMeans} special
 */
function special({ effect, windows, action, times, any_rest: anyRest, bystanders, on_top: onTop, tiring }) {
  const moments = inRow(windows.map((window) => t(`word.when.${window}`)), "or");
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
 * What a word means; null for one that has nothing of the triangle.
 * @param {string} id
 * @param {Record<string, unknown>} means what the hub says of the viewer's own cards
 */
export function explain(id, means) {
  if (id === "special none") return { title: t("special.none"), text: [t("word.special.none")] };
  const same = SAME[id];
  if (same) return { title: t(`word.${same}`), text: [t(`word.${same}.more`)] };
  const known = /** @type {SpecialMeans|undefined} */ (means[id.split(" as ")[0] ?? ""]);
  if (!known || !knows(`word.does.${known.effect}`)) return null;
  return { title: specialName(id.slice("special ".length)), text: special(known) };
}
