/** The toy on the display: its words, the dice of each player against the number, and the people. */

import { h } from "#core/dom.js";
import { anyOf, GENERIC, markOf, readiness } from "#core/generic.js";
import { fetchStyle, later } from "#core/later.js";
import { list, pretty, t } from "#core/texts.js";

export { card } from "./cards.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("./types").Reach} Reach */
/** @typedef {import("#core/wire.js").ReachPlayer} ReachPlayer */

/** The pages load these texts when the toy is played. */
export const sentences = ".toy";

/** Nothing is drawn before its style is there. */
export const styled = later(async () => {
  await fetchStyle("toy");
  return () => null;
});

/** @param {State|null} state @returns {state is Reach} */
export const isToy = (state) => state?.game?.ruleset === "toy-dice";

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

/** A player's dice, each as wide as `--d`. @param {string} name @param {ReachPlayer} player */
export const dice = (name, { dice: faces }) =>
  h(
    "div",
    {
      class: "toy-dice",
      key: "dice",
      role: "img",
      "aria-label": t("toy.dice", { who: pretty(name), dice: faces.join(", ") }),
    },
    faces.map((face, at) => h("span", { key: `die-${at}` }, face)),
  );

/** @param {Reach} state @param {[string, ReachPlayer]} player @returns {import("#core/types.js").Roll} */
const roll = ({ game: { number } }, [name, player]) => ({
  name,
  called: pretty(name),
  mark: player.reached === null ? "" : player.reached ? "won" : "lost",
  dice: dice(name, player),
  hard: String(number),
  said: "",
  notes: [h("span", { key: "approach" }, player.approach && t(`toy.approach.${player.approach}`))],
});

/**
 * @param {Reach} state
 * @returns {import("#core/types.js").Setting["pieces"]}
 */
function pieces(state) {
  const about = t("toy.number", { number: state.game.number });
  const thrown = Object.entries(state.game.players).filter(([, { dice }]) => dice.length);
  if (thrown.length) return { kind: "rolls", about, rolls: thrown.map((one) => roll(state, one)) };
  const laid = GENERIC.setting(state).pieces;
  return laid?.kind === "sides" ? { ...laid, middle: about } : null;
}

/** @param {State} state @returns {import("#core/types.js").Setting} */
export function setting(state) {
  if (!isToy(state)) return GENERIC.setting(state);
  styled();
  const drawn = pieces(state);
  return {
    moment: drawn !== null,
    rests: state.phase === "over",
    pieces: drawn,
    quiet: null,
    ring: [
      {
        name: "all",
        called: "",
        won: false,
        people: Object.entries(state.game.players).map(([name, { tokens, out }]) => ({
          name,
          mark: markOf(state, name),
          acts: false,
          gone: out ? t("toy.out") : "",
          left: t("toy.tokens", { count: tokens }),
          more: null,
        })),
      },
    ],
  };
}
