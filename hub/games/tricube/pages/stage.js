/** The public view of a tale: rolls, challenges with their tokens, characters. */

import { h } from "#core/dom.js";
import { fetchStyle, later } from "#core/later.js";
import { pretty, t } from "#core/texts.js";
import { character } from "./cast.js";
import { dice } from "./dice.js";
import { isOut, rolledOf } from "./rolled.js";
import { hardOf, isTale, takesTokens, tumbles } from "./room.js";
import { followsSaid, isGood, outcomeSaid } from "./say.js";
import { tokens } from "./tokens.js";

export * from "./room.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("./types").Tale} Tale */

/** Up to this many characters sit around the rolls; more are placed below. */
const AROUND = 8;

const styled = later(async () => {
  await Promise.all([fetchStyle("tricube-dice"), fetchStyle("tricube")]);
  return () => null;
});

/**
 * One roll: its character and trait, its dice, its difficulty and outcome.
 * @param {Tale} state
 * @param {string} who
 */
function rollView(state, who) {
  const rolled = rolledOf(state.game);
  const roll = rolled?.rolls[who];
  if (!rolled || !roll) return null;
  const hard = hardOf(roll);
  const said = isOut(state.game, who) && outcomeSaid(roll);
  const takes = takesTokens(state, rolled);
  const good = isGood(roll);
  return h(
    "article",
    { class: `tale-roll ${rolled.now === who ? "in-turn" : ""} ${roll.moot ? "moot" : ""}`, key: who },
    h("h3", {}, pretty(who), roll.of && h("span", { class: "of", key: "of" }, ` ${t(`tricube.of.${roll.of}`)}`)),
    dice(who, roll, tumbles(state, rolled)),
    h(
      "p",
      { class: "hard", key: "hard" },
      hard === null ? t("tricube.stage.hard.unknown") : t("tricube.aside.hard", { final: hard }),
      " ",
      roll.quirk && h("span", { key: "quirk" }, t("tricube.card.quirk", { quirk: roll.quirk })),
      roll.hindered && h("span", { key: "hindered" }, t("tricube.stage.hindered", { affliction: roll.hindered })),
    ),
    said && h("p", { class: `outcome-of ${good ? "good" : ""}`, key: "outcome" }, said),
    said && followsSaid(roll, takes).map((text) => h("p", { class: "follows", key: text }, text)),
  );
}

/** @param {Tale} state */
function rolls(state) {
  const rolled = rolledOf(state.game);
  if (!rolled) return null;
  const title = rolled.challenge
    ? t(rolled.defense ? "tricube.stage.defense" : "tricube.stage.at", { challenge: rolled.challenge })
    : t("tricube.facing.opposed");
  return h(
    "section",
    { class: `tale-rolls of-${rolled.order.length}`, key: "rolls", "aria-label": title },
    h(
      "p",
      { class: "about-roll", key: "about" },
      title,
      rolled.deadly && h("span", { class: "deadly", key: "deadly" }, ` ${t("tricube.aside.deadly")}`),
    ),
    rolled.order.map((who) => rollView(state, who)),
  );
}

/**
 * @param {Tale} state
 * @param {readonly string[]} [listed] the challenges to show
 */
function challenges({ game }, listed = game.listed) {
  if (!listed.length) return null;
  return h(
    "section",
    { class: "tale-challenges", key: "challenges", "aria-label": t("tricube.stage.challenges") },
    listed.map((name) => {
      const met = game.challenges[name];
      if (!met) return null;
      return h(
        "article",
        { class: `tale-challenge ${met.overcome ? "overcome" : ""}`, key: name },
        h("h3", {}, name),
        met.overcome
          ? h("p", { class: "gone", key: "gone" }, t("tricube.stage.overcome"))
          : h(
              "p",
              { class: "hard", key: "hard" },
              met.difficulty === null
                ? t("tricube.stage.hard.unknown")
                : t("tricube.aside.hard", { final: met.difficulty }),
              met.deadly && h("span", { class: "deadly", key: "deadly" }, ` ${t("tricube.aside.deadly")}`),
            ),
        met.effort > 0 &&
          tokens("effort", met.left, met.effort, t("tricube.stage.effort", { left: met.left, effort: met.effort })),
        met.bypassed.length > 0 &&
          h(
            "p",
            { class: "follows", key: "past" },
            t("tricube.stage.bypassed", { names: met.bypassed.map(pretty).join(", ") }),
          ),
      );
    }),
  );
}

/** @param {Tale} state @param {Part} headline */
function whole(state, headline) {
  styled();
  return [
    h(
      "section",
      { class: "stage tale-middle", key: "stage", "aria-label": t("tricube.stage.tale") },
      headline,
      rolls(state),
      challenges(state),
    ),
    h(
      "section",
      { class: "tale-cast", key: "cast", "aria-label": t("tricube.gm.sheets") },
      state.game.around.map((who, at) => h("div", { class: `place-${at}`, key: who }, character(state, who))),
    ),
  ];
}

/**
 * @param {State} state
 * @param {import("#core/types.js").Drawn} headline
 */
export const body = (state, headline) => {
  if (!isTale(state)) return headline;
  const { length } = state.game.around;
  return h(
    "main",
    { class: `tale ${length <= AROUND ? `around around-${length}` : ""}`, key: "tale" },
    whole(state, headline),
  );
};

/** @param {State} state */
export const around = (state) =>
  isTale(state) ? [h("div", { class: "tale own-tale-around", key: "tale" }, whole(state, null))] : [];

/**
 * @param {State} state
 * @param {Part} timer
 */
export const miniature = (state, timer) =>
  isTale(state)
    ? h("section", { class: "mini tale", key: "mini", "aria-label": t("table.mini") }, whole(state, timer))
    : timer;

/**
 * For a stream overlay: the rolls and their challenge, or else all challenges.
 * @param {State} state
 */
export function played(state) {
  if (!isTale(state)) return null;
  styled();
  const { listed } = state.game;
  const rolled = rolledOf(state.game);
  return h(
    "section",
    { class: "stream-tale", key: "stream" },
    rolls(state),
    challenges(state, rolled ? listed.filter((name) => name === rolled.challenge) : listed),
  );
}
