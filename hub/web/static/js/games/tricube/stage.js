/** What everybody sees of a tale: what is rolled, the challenges with their tokens, the characters. */

import { h } from "../../core/dom.js";
import { fetchStyle, later } from "../../core/later.js";
import { portrait } from "../../core/portrait.js";
import { plug } from "../../core/shapes.js";
import { pretty, t } from "../../core/texts.js";
import { dice } from "./dice.js";
import { followsSaid, outcomeSaid, prompt as promptOf, verdict as verdictOf } from "./say.js";
import { card as cardOf } from "./seat-cards.js";

export { aloud } from "./say.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Part} Part */
/** @typedef {import("./types").Tale} Tale */

/** More tokens than these are said as a number alone. */
const MOST_TOKENS = 12;
const SETTLED = ["exceptional", "success", "even"];

export const sentences = ".tricube";
export const card = cardOf;

const styled = later(async () => {
  await fetchStyle("tricube");
  return () => null;
});

/** @param {State|null} state @returns {state is Tale} */
const isTale = (state) => state?.game?.ruleset === "tricube";

/** @param {State} state */
export const scene = (state) => ({ sort: t("tricube.stage.tale"), title: state.title || t("tricube.stage.tale"), turns: true, about: "", nature: t("tricube.stage.tale") });

/** @param {State} state */
export const prompt = (state) => (isTale(state) ? promptOf(state) : { head: "", more: "" });

/** @param {State} state */
export const verdict = (state) => (isTale(state) ? verdictOf(state) : null);

/** Tokens that are there, and those that are gone. @param {string} kind @param {number} has @param {number} most @param {string} said */
const tokens = (kind, has, most, said) =>
  h("span", { class: `tale-tokens ${kind}`, key: kind, role: "img", "aria-label": said },
    most > MOST_TOKENS ? h("b", {}, `${has}/${most}`) : Array.from({ length: most }, (_, at) => h("i", { class: at < has ? "on" : "", key: `token-${at}` })));

/** One roll: whose, for what, its dice, how hard, how it came out. @param {Tale} state @param {string} who */
function rollView(state, who) {
  const { rolling, last_rolling: last } = state.game;
  const rolled = rolling ?? last;
  const roll = rolled?.rolls[who];
  if (!rolled || !roll) return null;
  const tumbles = rolling !== null && !rolled.by_hand && state.phase === "locked";
  const { final, set, quirk } = roll.difficulty;
  const hard = final ?? (set === null ? null : set + quirk);
  const said = state.phase === "locked" || state.step === "karma" ? "" : outcomeSaid(roll);
  const good = roll.outcome !== null && SETTLED.includes(roll.outcome);
  return h("article", { class: `tale-roll ${rolled.now === who ? "in-turn" : ""} ${roll.moot ? "moot" : ""}`, key: who },
    h("h3", {}, pretty(who), roll.of && h("span", { class: "of", key: "of" }, ` ${t(`tricube.of.${roll.of}`)}`)),
    dice(who, roll, tumbles),
    h("p", { class: "hard", key: "hard" },
      hard === null ? t("tricube.stage.hard.unknown") : t("tricube.aside.hard", { final: hard }), " ",
      roll.quirk && h("span", { key: "quirk" }, t("tricube.card.quirk", { quirk: roll.quirk })), roll.hindered && h("span", { key: "hindered" }, t("tricube.stage.hindered", { affliction: roll.hindered }))),
    said && h("p", { class: `outcome-of ${good ? "good" : ""}`, key: "outcome" }, said),
    said && followsSaid(roll).map((text) => h("p", { class: "follows", key: text }, text)));
}

/** @param {Tale} state */
function rolls(state) {
  const rolled = state.game.rolling ?? state.game.last_rolling;
  if (!rolled) return null;
  const title = rolled.challenge ? t(rolled.defense ? "tricube.stage.defense" : "tricube.stage.at", { challenge: rolled.challenge }) : t("tricube.facing.opposed");
  return h("section", { class: `tale-rolls of-${rolled.order.length}`, key: "rolls", "aria-label": title },
    h("p", { class: "about-roll", key: "about" }, title, rolled.deadly && h("span", { class: "deadly", key: "deadly" }, ` ${t("tricube.aside.deadly")}`)),
    rolled.order.map((who) => rollView(state, who)));
}

/** @param {Tale} state */
function challenges({ game }) {
  if (!game.listed.length) return null;
  return h("section", { class: "tale-challenges", key: "challenges", "aria-label": t("tricube.stage.challenges") }, game.listed.map((name) => {
    const met = game.challenges[name];
    if (!met) return null;
    return h("article", { class: `tale-challenge ${met.overcome ? "overcome" : ""}`, key: name },
      h("h3", {}, name),
      met.overcome
        ? h("p", { class: "gone", key: "gone" }, t("tricube.stage.overcome"))
        : h("p", { class: "hard", key: "hard" }, met.difficulty === null ? t("tricube.stage.hard.unknown") : t("tricube.aside.hard", { final: met.difficulty }), met.deadly && h("span", { class: "deadly", key: "deadly" }, ` ${t("tricube.aside.deadly")}`)),
      met.effort > 0 && tokens("effort", met.left, met.effort, t("tricube.stage.effort", { left: met.left, effort: met.effort })),
      met.bypassed.length > 0 && h("p", { class: "follows", key: "past" }, t("tricube.stage.bypassed", { names: met.bypassed.map(pretty).join(", ") })));
  }));
}

/** @param {Tale} state @param {string} who */
function character(state, who) {
  const one = state.game.cast[who];
  if (!one) return null;
  const waits = state.awaited.includes(who) && state.phase !== "locked";
  const ready = state.committed.includes(who);
  const lost = state.seats.some((seat) => seat.reader === "lost" && seat.characters.includes(who));
  return h("article", { class: `tale-character ${one.absent ? "away" : ""}`, key: who, "data-name": who },
    h("header", { key: "head" }, portrait(who), h("h3", {}, pretty(who)),
      lost && h("span", { class: "badge lost", key: "lost" }, plug, t("reader.lost.short")),
      one.absent && h("span", { class: "gone", key: "gone" }, t(`tricube.stage.${one.absent}`)),
      waits && h("span", { class: `badge ${ready ? "ready" : "choosing"}`, key: "badge" }, t(ready ? "badge.ready" : "badge.choosing"))),
    h("p", { class: "concept", key: "concept" }, t("tricube.lasting.archetype", { trait: t(`tricube.trait.${one.trait}`), concept: one.concept })),
    h("p", { class: "tale-counts", key: "counts" },
      h("span", { key: "karma-word" }, t("tricube.field.karma")), tokens("karma", one.karma, one.karma_max, t("tricube.lasting.karma", { has: one.karma, most: one.karma_max })),
      h("span", { key: "resolve-word" }, t("tricube.field.resolve")), tokens("resolve", one.resolve, one.resolve_max, t("tricube.lasting.resolve", { has: one.resolve, most: one.resolve_max }))),
    one.afflictions.length > 0 && h("p", { class: "afflictions", key: "afflictions" }, one.afflictions.map(({ name }) => name).join(", ")));
}

/** @param {Tale} state @param {Part} headline */
function whole(state, headline) {
  styled();
  return [
    h("section", { class: "stage tale-middle", key: "stage", "aria-label": t("tricube.stage.tale") }, headline, rolls(state)),
    challenges(state),
    h("section", { class: "tale-cast", key: "cast", "aria-label": t("tricube.gm.sheets") }, state.game.around.map((who) => character(state, who))),
  ];
}

/**
 * @param {State} state
 * @param {import("../../core/types").Drawn} headline
 */
export const body = (state, headline) => (isTale(state) ? h("main", { class: "tale", key: "tale" }, whole(state, headline)) : headline);

/** @param {State} state */
export const around = (state) => (isTale(state) ? [h("div", { class: "tale own-tale-around", key: "tale" }, whole(state, null))] : []);

/**
 * @param {State} state
 * @param {Part} timer
 */
export const miniature = (state, timer) => (isTale(state) ? h("section", { class: "mini tale", key: "mini", "aria-label": t("table.mini") }, whole(state, timer)) : timer);

/** For a stream: what is rolled. @param {State} state */
export function played(state) {
  if (!isTale(state)) return null;
  styled();
  return h("section", { class: "stream-tale", key: "stream" }, rolls(state), challenges(state));
}
