/** The toy's questions, in the words of its players' and its GM's page. */

import { pretty, t } from "#core/texts.js";

/** @typedef {import("#core/types.js").State} State */

/** Kinds of cards in a hand. */
export const hand = ["approach"];

/** @param {string} kind */
export const heading = (kind) => ({ id: kind, title: t("toy.approach"), rank: 0 });

/** @param {string} kind @param {string} value */
export const meaning = (kind, value) => (kind === "approach" ? t(`toy.approach.${value}.more`) : "");

/** @param {State} _ @param {import("#core/types.js").Asking} asking */
export function question(_, { actor, kind, offers }) {
  if (kind === "next") return t("toy.ask.next");
  if (kind !== "spend") return t("toy.ask.approach", { who: pretty(actor) });
  const short = Math.max(...offers.map((each) => Number(each.choice.split(" ")[1])));
  return t("toy.ask.spend", { who: pretty(actor), short });
}

/** @param {import("#core/types.js").Offer} offer */
export function offerName({ choice }) {
  const [kind, value = ""] = choice.split(" ");
  if (kind === "spend") return value === "0" ? t("toy.offer.spend.none") : t("toy.offer.spend", { number: value });
  if (kind === "next") return t(`toy.offer.${value}`);
  return kind === "yield" ? t("toy.offer.yield") : null;
}
