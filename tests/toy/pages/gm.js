/** The toy's part of the GM's page: its questions, and what the chronicle says of it. */

import { pretty, t } from "#core/texts.js";

export { hand, heading, meaning, offerName, question } from "./asked.js";
export { card } from "./cards.js";

/** @param {string} actor @param {string} choice */
export function choiceSaid(actor, choice) {
  const [kind, value = ""] = choice.split(" ");
  if (kind === "spend") return t("toy.log.spend", { who: pretty(actor), count: Number(value) });
  if (kind === "next") return t(`toy.log.${value}`);
  return kind === "yield" ? t("toy.log.yield", { who: pretty(actor) }) : null;
}

/** @param {import("#core/types.js").Came} came */
export const cameSaid = ({ what, name = "" }) =>
  what === "reached" || what === "missed" ? [`${t(`toy.${what}`, { who: pretty(name) })}.`] : null;

/** @param {import("#core/types.js").DeedValues} deed */
export const deedSaid = (deed) =>
  deed.do === "grant" ? t("toy.log.grant", { name: pretty(String(deed.name)), count: Number(deed.tokens) }) : null;

/** @param {string} ruleset */
export const sceneSaid = (ruleset) => (ruleset === "toy-dice" ? t("toy.log.scene") : null);
