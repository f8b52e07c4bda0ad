/** The public view of a tale's character: archetype, tokens, abilities and afflictions. */

import { h } from "#core/dom.js";
import { inRow } from "#core/grammar.js";
import { portrait } from "#core/portrait.js";
import { plug } from "#core/shapes.js";
import { pretty, t } from "#core/texts.js";
import { afflictionSaid } from "./lasting.js";
import { tokens } from "./tokens.js";

/** @typedef {import("./types").Tale} Tale */

/** @param {string} kind @param {readonly string[]} texts */
const line = (kind, texts) =>
  texts.length > 0 &&
  h("p", { class: `tale-line ${kind}`, key: kind }, h("b", {}, t(`tricube.lasting.${kind}`)), " ", inRow([...texts]));

/** @param {Tale} state @param {string} who */
export function character(state, who) {
  const one = state.game.cast[who];
  if (!one) return null;
  const waits = state.awaited.includes(who) && state.phase !== "locked";
  const ready = state.committed.includes(who);
  const lost = state.seats.some((seat) => seat.reader === "lost" && seat.characters.includes(who));
  return h(
    "article",
    { class: `tale-character ${one.absent ? `away ${one.absent}` : ""}`, key: who, "data-name": who },
    h(
      "header",
      { key: "head" },
      portrait(who),
      h("h3", {}, pretty(who)),
      lost && h("span", { class: "badge lost", key: "lost" }, plug, t("reader.lost.short")),
      one.absent && h("span", { class: "gone", key: "gone" }, t(`tricube.stage.${one.absent}`)),
      one.defended && h("span", { class: "badge defended", key: "defended" }, t("tricube.stage.defended")),
      waits &&
        h(
          "span",
          { class: `badge ${ready ? "ready" : "choosing"}`, key: "badge" },
          t(ready ? "badge.ready" : "badge.choosing"),
        ),
    ),
    h(
      "p",
      { class: "concept", key: "concept" },
      t("tricube.lasting.archetype", { trait: t(`tricube.trait.${one.trait}`), concept: one.concept }),
    ),
    h(
      "p",
      { class: "tale-counts", key: "counts" },
      h(
        "span",
        { class: "tale-count", key: "karma" },
        t("tricube.field.karma"),
        " ",
        tokens("karma", one.karma, one.karma_max, t("tricube.lasting.karma", { has: one.karma, most: one.karma_max })),
      ),
      h(
        "span",
        { class: "tale-count", key: "resolve" },
        t("tricube.field.resolve"),
        " ",
        tokens(
          "resolve",
          one.resolve,
          one.resolve_max,
          t("tricube.lasting.resolve", { has: one.resolve, most: one.resolve_max }),
        ),
      ),
    ),
    line("perks", one.perks),
    line("quirks", one.quirks),
    one.afflictions.length > 0 &&
      h("p", { class: "tale-line afflictions", key: "afflictions" }, inRow(one.afflictions.map(afflictionSaid))),
  );
}
