/** The turn on the stage: both characters' stances and moves, the verdict, and the loss as a sum. */

import { turningCard } from "../../core/cards.js";
import { choiceName, readChoice } from "./cards.js";
import { h } from "../../core/dom.js";
import { legend } from "./legend.js";
import { sidesOf } from "./people.js";
import { verdict } from "./say.js";
import { sign, TYPES } from "./shapes.js";
import { laidSpecials, specials } from "./specials.js";
import { pretty, t } from "../../core/texts.js";
import { faceUp } from "./turnings.js";

/** @typedef {import("./types").InTurn} InTurn */
/** @typedef {import("../../core/wire").LossView} LossView */
/** @typedef {import("../../core/wire").TurnView} TurnView */

/**
 * The stage's two names, the one of the left side first.
 * @param {InTurn} state
 */
function duellists(state) {
  const { turn, sides } = state.game;
  const left = sides[sidesOf(state.game)[0]];
  return left.includes(turn.active) ? [turn.active, turn.opponent] : [turn.opponent, turn.active];
}

/**
 * @param {InTurn} state
 * @param {string} name
 * @param {"stance"|"move"} kind
 */
function slot(state, name, kind) {
  const { turn } = state.game;
  const value = faceUp(state, kind, name);
  const key = `${kind}-${state.scene}-${turn.number}-${name}`;
  const hidden = t(`facedown.${kind}`);
  const lies = value !== null || (state.step === kind && state.committed.includes(name));
  const awaited = state.step === kind && state.awaited.includes(name);
  const card = lies
    ? turningCard({ key, kind, value, hidden })
    : h(
        "div",
        {
          class: `empty ${awaited ? "awaited" : ""}`,
          role: "img",
          "aria-label": `${t(`${kind}.slot`)}: ${t("empty.slot")}`,
          key: `empty-${kind}`,
        },
        h("span", {}, t(`${kind}.slot`)),
      );
  const use = kind === "stance" && turn.stance_uses[name];
  return h(
    "div",
    { class: `slot ${kind} ${use || ""}`, key: kind },
    card,
    use && h("p", { class: "use", key: "use" }, t(`stance.${use}`)),
  );
}

/**
 * @param {InTurn} state
 * @param {string|null} name
 * @param {string} at
 */
function fighter(state, name, at) {
  const { turn } = state.game;
  if (!name) return h("div", { class: `fighter ${at} nobody`, key: at }, h("h3", {}, "?"));
  let mode = "";
  if (turn.outcome === "tie") mode = "tied";
  else if (turn.winner) mode = turn.winner === name ? "winner" : "loser";
  const word = { winner: t("wins"), loser: t("lost"), tied: t("tie") }[mode];
  return h(
    "div",
    { class: `fighter ${at} ${mode}`, key: at },
    h("h3", {}, pretty(name)),
    h("p", { class: "role" }, word ?? t(name === turn.active ? "takes.turn" : "is.chosen")),
    h("div", { class: "slots" }, slot(state, name, "stance"), slot(state, name, "move")),
  );
}

/**
 * The parts of a loss, in the book's order; the winner's stance as a product.
 * @param {TurnView} turn
 * @param {string} name
 * @param {LossView} loss
 * @returns {Array<[string|number, string]>}
 */
function parts(turn, name, loss) {
  /** @type {Array<[string|number, string]>} */
  const found = [];
  const { stances, moves, winner, loser } = turn;
  if (loss.stance) {
    const amount = Number(readChoice("stance", stances?.[winner ?? ""] ?? "").amount);
    const product = t("loss.times", { amount, times: loss.stance / amount });
    found.push([product, t("loss.stance", { winner: pretty(winner ?? "") })]);
  }
  const fought = moves !== null && name in moves;
  if (loss.own_stance) found.push([loss.own_stance, fought ? t("loss.own") : t("loss.stance", { winner: pretty(loser ?? "") })]);
  const other = name === turn.active ? turn.opponent : turn.active;
  const base = fought ? choiceName("move", moves[other ?? ""] ?? "") : t("loss.base");
  if (loss.base) found.push([loss.base, base]);
  if (loss.special) found.push([loss.special, t("loss.special")]);
  if (loss.combo) found.push([loss.combo, t("loss.combo")]);
  if (loss.disadvantage) found.push([loss.disadvantage, t("loss.disadvantage")]);
  return found;
}

/**
 * What somebody loses, as a sum: 3×2 + 1 + 4 + 1 + 1 = 13.
 * @param {TurnView} turn
 * @param {string} name
 * @param {LossView} loss
 */
function sum(turn, name, loss) {
  const raw = loss.stance + loss.own_stance + loss.base + loss.combo + loss.disadvantage + loss.special;
  const all = parts(turn, name, loss);
  const spoken = `${all.map(([value, what]) => `${value} (${what})`).join(" + ")} = ${raw}`;
  const shown = all.map(([value, what], at) => term(at ? (Number(value) < 0 ? "−" : "+") : "", at ? Math.abs(Number(value)) : value, what, all.length === 1 && !loss.capped));
  return h(
    "div",
    { class: "sum", key: `sum-${name}` },
    h("h4", {}, t("loses", { name: pretty(name) })),
    h(
      "div",
      {
        class: "terms",
        role: "img",
        "aria-label": loss.capped ? `${spoken}; ${loss.total} (${t("loss.capped")})` : spoken,
      },
      shown,
      all.length > 1 && term("=", raw, "", !loss.capped),
      loss.capped && term("›", loss.total, t("loss.capped"), true),
    ),
    loss.split && taken(loss.split),
  );
}

/**
 * A number with the sign before it and what it is for below it.
 * @param {string} before
 * @param {string|number} value
 * @param {string} what
 * @param {boolean} total
 */
function term(before, value, what, total) {
  return h(
    "span",
    { class: "term" },
    before && h("span", { class: "sign-of" }, before),
    h("span", { class: `part ${total ? "total" : ""}` }, h("b", {}, value), what && h("i", {}, what)),
  );
}

/**
 * From which types it was taken.
 * @param {Record<string, number>} split
 */
function taken(split) {
  const types = TYPES.filter((type) => split[type]);
  if (!types.length) return null;
  return h(
    "p",
    { class: "taken" },
    h("span", {}, t("loss.taken")),
    types.map((type) =>
      h(
        "span",
        { class: `bit ${type}` },
        sign(type, t(`${type}.letter`)),
        h("b", {}, split[type]),
        ` ${t(type)}`,
      ),
    ),
  );
}

/**
 * The whole turn; null before anybody has been named.
 * @param {import("./types").Conflict} state
 */
export const turnView = (state) => (state.game.turn ? drawn(/** @type {InTurn} */ (state)) : null);

/** @param {InTurn} state */
function drawn(state) {
  const { turn } = state.game;
  const [left, right] = duellists(state);
  const why = verdict(turn);
  const judged = Boolean(turn.outcome);
  const laid = laidSpecials(state);
  return h(
    "div",
    { class: `turn ${judged ? "judged" : ""}`, key: `turn-${state.scene}-${turn.number}` },
    h(
      "div",
      { class: "duel" },
      fighter(state, left, "left"),
      h("div", { class: "between", key: "between" }, judged ? outcomeSign(turn, left) : h("span", {}, t("versus"))),
      fighter(state, right, "right"),
    ),
    laid,
    specials(state),
    !judged && !laid && legend(state.game),
    judged &&
      h(
        "div",
        { class: "outcome", key: "outcome" },
        h("p", { class: "why" }, why),
        h("div", { class: "sums" }, Object.entries(turn.losses).map(([name, loss]) => sum(turn, name, loss))),
      ),
  );
}

/**
 * Towards whom the turn went: an arrow's head from the winner to the loser, or a level sign.
 * @param {TurnView} turn
 * @param {string|null} left
 */
function outcomeSign(turn, left) {
  if (!turn.winner) return h("span", { class: "level" }, "=");
  return h("span", { class: "beats" }, turn.winner === left ? "›" : "‹");
}
