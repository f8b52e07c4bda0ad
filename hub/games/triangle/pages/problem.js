/** A problem on the stage: the revealed numbers, and who decides. */

import { turningCard } from "#core/cards.js";
import { h } from "#core/dom.js";
import { list, pretty, sentence, t } from "#core/texts.js";
import { faceUp } from "./turnings.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("./types").Problem} Problem */

/**
 * Whether the scene is a problem.
 * @param {State} state
 * @returns {state is Problem}
 */
export const isProblem = (state) => Boolean(state.game?.interested);

/**
 * Whether the scene is a conflict.
 * @param {State} state
 * @returns {state is import("./types").Conflict}
 */
export const isConflict = (state) => Boolean(state.game?.characters);

/** How a problem ended, and who told it. @param {{success: boolean, decider: string}} result */
export const toldSaid = ({ success, decider }) =>
  t(success ? "problem.solved" : "problem.failed", { by: pretty(decider) });

/**
 * The headline of a problem's current step.
 * @param {Problem} state
 */
export function problemHead(state) {
  const { game, step } = state;
  if (game.result) return toldSaid(game.result);
  const by = sentence(pretty(game.decider ?? "gm"));
  return t(`problem.${step}`, { who: sentence(list(state.awaited)), by, count: state.awaited.length });
}

/**
 * Why this character narrates, or whose outcome was vetoed; empty before the numbers.
 * @param {{game: import("./types").ProblemView}} state
 */
export function problemWhy({ game }) {
  const by = pretty(game.decider ?? "gm");
  if (game.vetoer) return t("problem.vetoed", { name: by });
  const places = { by, refused: list(game.refused), count: game.refused.length };
  return game.because.map((each) => t(`problem.because.${each}`, places)).join(" ");
}

/** The effect of a veto, and who has waived it. @param {Problem} state */
export const vetoMore = ({ game: { let_happen: names } }) =>
  [
    t("problem.veto.more"),
    names.length ? t("problem.let-happen", { names: sentence(list(names)), count: names.length }) : "",
  ].join(" ");

/**
 * The participants, each with the card in front of them.
 * @param {Problem} state
 */
export function problemView(state) {
  const { game } = state;
  const teller = game.vetoer ?? game.decider;
  return h(
    "section",
    { class: "problem", key: "problem" },
    game.problem && h("p", { class: "what" }, game.problem),
    h(
      "ul",
      { class: "options" },
      game.interested.map((name) => {
        const value = faceUp(state, "option", name);
        const lies = value !== null || (state.step === "option" && state.committed.includes(name));
        const key = `option-${state.scene}-${name}`;
        return h(
          "li",
          { class: teller === name ? "decides" : "", key: name },
          lies
            ? turningCard({ key, kind: "option", value, hidden: t("facedown.option") })
            : h("div", { class: "empty awaited", key: "empty" }),
          h("b", {}, pretty(name)),
          teller === name && !game.result && h("span", { class: "role" }, t("problem.decides")),
        );
      }),
    ),
    toldWith(game),
  );
}

/**
 * The means of the narration; null before that, and while a new outcome is told.
 * @param {import("./types").ProblemView} game
 */
export function toldWith({ told, vetoer, result }) {
  const [way, ...name] = (result?.means ?? (vetoer ? "" : told) ?? "").split(" ");
  return way ? h("p", { class: "told-with", key: "told" }, t(`means.${way}`, { name: name.join(" ") })) : null;
}
