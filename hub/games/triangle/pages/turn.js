/**
 * The turn on the stage: both characters' stances and moves, the verdict, and the loss as a sum.
 */

import { turningCard } from "#core/cards.js";
import { h } from "#core/dom.js";
import { pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { legend } from "./legend.js";
import { verdict } from "./say.js";
import { duellists } from "./sides.js";
import { laidSpecials, specials, struck } from "./specials.js";
import { sum } from "./sum.js";
import { faceUp } from "./turnings.js";

/** @typedef {import("./types").InTurn} InTurn */
/** @typedef {import("#core/wire.js").TurnView} TurnView */

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
  const worth = kind === "move" && value && turn.worth[name];
  return h(
    "div",
    { class: `slot ${kind} ${use || ""}`, key: kind },
    card,
    use && h("p", { class: "use", key: "use" }, word(`use.${use}`, t(`stance.${use}`))),
    worth && h("p", { class: "use", key: "use" }, t(worth.times > 1 ? "worth.times" : "worth", { ...worth })),
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
  const ended = { winner: t("wins"), loser: t("lost"), tied: t("tie") }[mode];
  return h(
    "div",
    { class: `fighter ${at} ${mode}`, key: at },
    h("h3", {}, pretty(name)),
    h(
      "p",
      { class: "role" },
      ended ?? (name === turn.active ? word("badge.acts", t("takes.turn")) : word("badge.chosen", t("is.chosen"))),
    ),
    h(
      "div",
      { class: "slots" },
      h("div", { class: "lesser", key: "lesser" }, struck(state, name), slot(state, name, "stance")),
      slot(state, name, "move"),
    ),
  );
}

/**
 * The whole turn; null before it has an active character.
 * @param {import("./types").Conflict} state
 * @param {boolean} [headed] whether the headline shows the verdict already
 */
export const turnView = (state, headed = false) =>
  state.game.turn ? drawn(/** @type {InTurn} */ (state), headed) : null;

/**
 * @param {InTurn} state
 * @param {boolean} headed
 */
function drawn(state, headed) {
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
        !headed && h("p", { class: "why", key: "why" }, why),
        h(
          "div",
          { class: "sums" },
          Object.entries(turn.losses).map(([name, loss]) => sum(turn, name, loss)),
        ),
      ),
  );
}

/**
 * An arrow's head from the winner to the loser, or an equals sign.
 * @param {TurnView} turn
 * @param {string|null} left
 */
function outcomeSign(turn, left) {
  if (!turn.winner) return h("span", { class: "level" }, "=");
  return h("span", { class: "beats" }, turn.winner === left ? "›" : "‹");
}
