/** A loss as a sum, counted up term by term: 3×2 + 1 + 4 + 1 + 1 = 13. */

import { h } from "#core/dom.js";
import { pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { choiceName } from "./cards.js";
import { termsOf } from "./loss.js";
import { sign, TYPES } from "./shapes.js";

/** @typedef {import("#core/wire.js").LossView} LossView */
/** @typedef {import("#core/wire.js").TurnView} TurnView */

/**
 * A loss, as far as it has been counted.
 * @param {TurnView & {counted?: number}} turn `counted`: number of terms shown so far, while they
 *   are counted up
 * @param {string} name
 * @param {LossView} loss
 */
export function sum(turn, name, loss) {
  const all = termsOf(turn, name, loss);
  const counted = turn.counted ?? all.length + 1;
  const raw = all.slice(0, counted).reduce((points, term) => points + term.points, 0);
  const terms = all.slice(0, counted).map(({ written, what }) => `${written} (${what})`);
  const spoken = `${terms.join(" + ")} = ${raw}`;
  const single = all.length === 1 && !loss.capped;
  const capped = loss.capped && counted > all.length;
  const missed = name === turn.loser && counted >= all.length && turn.combo_missed > 0;
  return h(
    "div",
    { class: "sum", key: `sum-${name}` },
    h(
      "div",
      { class: "whose", key: "whose" },
      h("h4", {}, word("loss", t("loses", { name: pretty(name) }))),
      turn.counted === undefined && loss.split && taken(loss.split),
    ),
    h(
      "div",
      { class: "terms", role: "img", "aria-label": capped ? `${spoken}; ${loss.total} (${t("loss.capped")})` : spoken },
      all.map(({ written, what, points }, at) =>
        drawn(
          at < counted,
          at ? (points < 0 ? "−" : "+") : "",
          at || points > 0 ? written : points,
          what,
          single ? "total" : "",
          `term-${at}`,
        ),
      ),
      all.length > 1 && drawn(counted > 0, "=", raw, "", loss.capped ? "" : "total", `total-${raw}`),
      loss.capped && drawn(capped, "›", loss.total, t("loss.capped"), "total", "capped"),
    ),
    missed && h("p", { class: "missed", key: "missed" }, missedWhy(turn)),
  );
}

/**
 * Why a combo on the table adds nothing.
 * @param {TurnView} turn
 */
function missedWhy({ winner, moves }) {
  const name = winner ?? "";
  return t("loss.missed", { move: choiceName("move", moves?.[name] ?? ""), winner: pretty(name) });
}

/**
 * A number with its sign and its reason; only its place while it is still to come.
 * @param {boolean} comes
 * @param {string} before
 * @param {string|number} value
 * @param {string} what
 * @param {string} look
 * @param {string} key
 */
function drawn(comes, before, value, what, look, key) {
  const wide = look ? "last" : typeof value === "string" ? "wide" : "";
  if (!comes) return h("span", { class: `term ${wide} to-come`, key: `${key}-to-come` });
  return h(
    "span",
    { class: `term ${wide}`, key },
    before && h("span", { class: "sign-of" }, before),
    h("span", { class: `part ${look}` }, h("b", {}, value), what && h("i", {}, what)),
  );
}
/**
 * The types that the loss was taken from.
 * @param {Record<string, number>} split
 */
function taken(split) {
  const types = TYPES.filter((type) => split[type]);
  if (!types.length) return null;
  return h(
    "p",
    { class: "taken" },
    h("span", { class: "unseen" }, t("loss.taken")),
    types.map((type) =>
      h("span", { class: `bit ${type}` }, sign(type, t(`${type}.letter`)), h("b", {}, split[type]), ` ${t(type)}`),
    ),
  );
}
