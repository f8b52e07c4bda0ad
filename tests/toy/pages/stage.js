/** The toy on the display: the number to reach, and each player's approach, dice and tokens. */

import { h } from "#core/dom.js";
import { anyOf, readiness } from "#core/generic.js";
import { fetchStyle, later } from "#core/later.js";
import { list, pretty, t } from "#core/texts.js";

export { card } from "./cards.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("./types").Reach} Reach */

/** The display loads these texts when the toy is played. */
export const sentences = ".toy";

const styled = later(async () => {
  await fetchStyle("toy");
  return () => null;
});

/** @param {State|null} state @returns {state is Reach} */
const isToy = (state) => state?.game?.ruleset === "toy-dice";

/** @param {State} state */
export const scene = (state) => ({
  sort: t("toy.scene"),
  title: state.title || t("toy.scene"),
  turns: true,
  about: isToy(state) ? t("toy.number", { number: state.game.number }) : "",
  nature: t("toy.scene"),
});

/** @param {State} state */
export const prompt = (state) =>
  state.phase === "over"
    ? { head: t("toy.over"), more: "" }
    : {
        head: t("other", { who: anyOf(state, state.awaited) }),
        more: state.phase === "sealed" ? readiness(state) : "",
      };

/** Who made it in this round; null before all have spent. @param {State} state */
export function verdict(state) {
  const players = isToy(state) ? Object.entries(state.game.players) : [];
  const rolled = players.filter(([, player]) => player.reached !== null);
  if (!rolled.length) return null;
  const made = rolled.filter(([, player]) => player.reached).map(([name]) => name);
  return { said: made.length ? t("toy.reached", { who: list(made) }) : t("toy.nobody") };
}

/** @param {string} step */
export const leftName = (step) => (["approach", "spend", "next"].includes(step) ? t(`toy.left.${step}`) : null);

/** @param {Reach} state @param {string} name */
function player(state, name) {
  const one = state.game.players[name];
  if (!one) return null;
  const dice = one.dice.join(", ");
  return h(
    "article",
    { class: `toy-player ${one.reached ? "reached" : ""} ${one.out ? "out" : ""}`, key: name },
    h("h3", {}, pretty(name)),
    one.approach && h("p", { key: "approach" }, t(`toy.approach.${one.approach}`)),
    one.dice.length > 0 &&
      h(
        "div",
        { class: "toy-dice", key: "dice", role: "img", "aria-label": t("toy.dice", { who: pretty(name), dice }) },
        one.dice.map((face, at) => h("span", { key: `die-${at}` }, face)),
      ),
    h("p", { key: "tokens" }, t("toy.tokens", { count: one.tokens })),
    one.out && h("p", { key: "out" }, t("toy.out")),
  );
}

/** @param {Reach} state @param {Part} headline */
function whole(state, headline) {
  styled();
  return [
    h(
      "section",
      { class: "stage", key: "stage", "aria-label": t("toy.scene") },
      headline,
      headline && h("p", { class: "toy-number", key: "number" }, t("toy.number", { number: state.game.number })),
    ),
    Object.keys(state.game.players).map((name) => player(state, name)),
  ];
}

/** @param {State} state @param {import("#core/types.js").Drawn} headline */
export const body = (state, headline) =>
  isToy(state) ? h("main", { class: "toy", key: "toy" }, whole(state, headline)) : headline;

/** @param {State} state */
export const around = (state) => (isToy(state) ? [h("div", { class: "toy", key: "toy" }, whole(state, null))] : []);

/** @param {State} state @param {Part} timer */
export const miniature = (state, timer) =>
  isToy(state)
    ? h("section", { class: "mini toy", key: "mini", "aria-label": t("table.mini") }, whole(state, timer))
    : timer;

/** @param {State} state */
export const played = (state) =>
  isToy(state) ? h("section", { class: "toy", key: "played" }, whole(state, null)) : null;
