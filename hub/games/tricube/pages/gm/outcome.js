/** The outcome of the latest rolls, which the GM reads before the next call. */

import { h } from "#core/dom.js";
import { portrait } from "#core/portrait.js";
import { pretty, sentence, t } from "#core/texts.js";
import { isTale } from "../asked.js";
import { pips } from "../dice.js";
import { isOut, rolledOf } from "../rolled.js";
import { followsSaid, outcomeSaid } from "../say.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("../types").Tale} Tale */
/** @typedef {import("../types").RollView} RollView */

const GM = "gm";
const GOOD = ["exceptional", "success"];
const BAD = ["failure", "critical"];

/**
 * Its tokens, or that it is overcome.
 * @param {Tale} state
 * @param {string} name
 */
function challengeSaid({ game: { challenges } }, name) {
  const met = challenges[name];
  if (!met) return null;
  if (met.overcome) return sentence(t("tricube.stage.overcome"));
  return met.effort ? t("tricube.stage.effort", { left: met.left, effort: met.effort }) : null;
}

/** @param {RollView} roll */
const look = ({ outcome, moot }) =>
  moot || outcome === null ? "" : GOOD.includes(outcome) ? "made" : BAD.includes(outcome) ? "failed" : "";

/**
 * One roll: its dice, those that count highlighted, its difficulty and what followed.
 * @param {string} who
 * @param {RollView} roll
 * @param {boolean} takes whether its hits take tokens
 */
function rollRow(who, roll, takes) {
  const { dice, difficulty, hits } = roll;
  const final = difficulty.final;
  const counts = (/** @type {number} */ face) => final !== null && Boolean(hits) && face >= final;
  return h(
    "li",
    { class: `came-roll ${look(roll)}`, key: who, "data-name": who },
    portrait(who),
    h("b", { class: "who", key: "who" }, pretty(who)),
    h("b", { class: "said", key: "said" }, sentence(outcomeSaid(roll))),
    dice &&
      h(
        "span",
        {
          class: "came-dice",
          key: "dice",
          role: "img",
          "aria-label": t("tricube.stage.dice.lie", { who: pretty(who), dice: dice.join(", ") }),
        },
        dice.map((face, at) => h("span", { class: counts(face) ? "counts" : "", key: `die-${at}` }, pips(face))),
      ),
    final !== null && h("span", { class: "hard", key: "hard" }, t("tricube.aside.hard", { final })),
    followsSaid(roll, takes).map((text) => h("p", { class: "hint", key: text }, text)),
  );
}

/**
 * The outcome; null before there is one, and once something else is asked for.
 * @param {State} state
 */
export function outcome(state) {
  if (!isTale(state)) return null;
  // A question to the GM about one of the rolls comes first, and tells of that roll itself.
  if (state.step !== "scene" && state.awaited.includes(GM)) return null;
  const rolled = rolledOf(state.game);
  const names = (rolled?.order ?? []).filter((who) => isOut(state.game, who));
  if (!rolled || !names.length) return null;
  const { challenge, defense, rolls } = rolled;
  const title = challenge
    ? t(defense ? "tricube.stage.defense" : "tricube.stage.at", { challenge })
    : t("tricube.facing.opposed");
  const left = challenge && challengeSaid(state, challenge);
  const takes = !defense && challenge !== null && (state.game.challenges[challenge]?.effort ?? 0) > 0;
  return h(
    "section",
    { class: "panel came", key: "came", "aria-labelledby": "came" },
    h("h2", { id: "came", key: "title" }, title),
    h(
      "ul",
      { key: "rolls" },
      names.flatMap((who) => (rolls[who] ? [rollRow(who, rolls[who], takes)] : [])),
    ),
    left && h("p", { class: "left", key: "left" }, left),
  );
}
