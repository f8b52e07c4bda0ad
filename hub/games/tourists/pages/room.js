/** A Conflict on the display: the parties' cards, the Control between them, and the people. */

import { h } from "#core/dom.js";
import { markOf } from "#core/generic.js";
import { fetchStyle, later } from "#core/later.js";
import { list, pretty, t } from "#core/texts.js";
import { lying } from "./cards.js";
import { isConflict, staying } from "./conflict.js";
import { meter } from "./meter.js";
import { prompt as promptOf, verdict as verdictOf } from "./say.js";

export { back } from "./back.js";
export { card } from "./cards.js";
export { aloud, leftName } from "./say.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Side} Side */
/** @typedef {import("#core/types.js").Setting} Setting */
/** @typedef {import("./types").Conflict} Conflict */
/** @typedef {import("./types").PartyView} PartyView */

/** Steps in which no card is on its way. */
const CALM = ["reserve", "tactics"];
/** Steps at which the round is over and its cards only lie there still. */
const OVER = ["part", "refill", "parting-draw", "over"];

/** Steps at which the cards lie as they would count. */
const LAYING = ["draw", "bid", "answers"];

/** Texts that the display loads when a Conflict begins. */
export const sentences = ".tourists";

const styled = later(async () => {
  await fetchStyle("tourists-cards");
  return () => null;
});

/** @param {State} state */
export const scene = (state) => ({
  sort: t("tourists.stage.conflict"),
  title: state.title || t("tourists.stage.conflict"),
  turns: false,
  about: "",
  nature: t("tourists.stage.conflict"),
  note: isConflict(state) && state.game.round ? t("tourists.stage.round", { number: state.game.round.number }) : "",
});

/** @param {State} state */
export const prompt = (state) => (isConflict(state) ? promptOf(state) : { head: "", more: "" });

/**
 * The decision; the places of the Control show who has it now.
 * @param {State} state
 */
export function verdict(state) {
  const found = isConflict(state) ? verdictOf(state) : null;
  return found && state.game?.control && !state.game.result ? { ...found, why: "" } : found;
}

/** The round's outcome with the current cards, in a sentence; empty if it is open. @param {Conflict} state */
export function wouldSaid({ game: { round } }) {
  if (!round?.would || round.outcome) return "";
  const { outcome, by } = round.would;
  const places = { by: list(by), dominant: pretty(round.dominant ?? ""), count: by.length };
  return t(`tourists.stage.would.${outcome}`, places);
}

/**
 * The place of the Control at a party: who has it has the ranks.
 * @param {Conflict} state
 * @param {string} name
 */
function place({ game: { control, result, parties } }, name) {
  if (result || parties[name].out) return null;
  const ranks = control?.party === name ? control.ranks : 0;
  return h(
    "span",
    { class: `control-place ${ranks ? "held" : ""}`, key: "control", "aria-hidden": ranks ? null : "true" },
    ranks > 0 && h("b", { key: `ranks-${ranks}` }, t("tourists.stage.control", { ranks })),
  );
}

/**
 * The Loss that a party suffers in this round.
 * @param {Conflict} state
 * @param {string} name
 */
function suffered({ game: { round } }, name) {
  const loss = round?.outcome ? round.suffered[name] : null;
  if (!loss) return null;
  const { gravity } = loss;
  const said =
    gravity === null ? t("tourists.stage.temporary", { count: 1 }) : t("tourists.stage.lasting", { gravity });
  return h("b", { class: "suffered", key: "suffered" }, said);
}

/**
 * The Losses that a character bears, and those of its party that are Temporary.
 * @param {Conflict} state
 * @param {string} who
 */
function losses({ game: { members, parties } }, who) {
  const party = parties[members[who].party];
  const first = party.characters[0] === who;
  const lasting = party.lasting.filter((loss) => loss.who === who);
  const count = lasting.length + (first ? party.temporary.length : 0);
  if (!count) return null;
  const said = [
    ...lasting.map(({ gravity }) => t("tourists.stage.lasting", { gravity })),
    first && party.temporary.length > 0 && t("tourists.stage.temporary", { count: party.temporary.length }),
  ];
  return h(
    "span",
    { class: "losses-of", key: "losses", role: "img", "aria-label": said.filter(Boolean).join(", ") },
    lasting.map(({ gravity }, at) => h("i", { class: `lasting gravity-${gravity}`, key: `lasting-${at}` })),
    first && party.temporary.map(({ number }) => h("i", { key: `temporary-${number}` })),
  );
}

/**
 * A party's cards, and its mark.
 * @param {Conflict} state
 * @param {string} name
 * @returns {Side}
 */
function side(state, name) {
  const { parties, round, result } = state.game;
  const party = parties[name];
  const answered = round?.answered.includes(name);
  const won = result ? result.winner === name : round?.winners.includes(name);
  const cards = party.laid.map(({ card, turned, reserve }, at) =>
    lying(card, {
      look: `${reserve ? "of-reserve" : ""} ${turned ? "turned" : ""} ${answered && at === party.laid.length - 1 ? "answered" : ""}`,
    }),
  );
  const cover = round?.cover && round.covers === name ? round.cover.card : null;
  if (cover) cards.push(lying(cover, { look: "of-reserve laying", key: "cover" }));
  const awaited = staying(state, name).some((who) => state.awaited.includes(who));
  if (!cards.length && !party.out)
    cards.push(h("div", { class: `vacant ${awaited ? "awaited" : ""}`, key: "vacant", "aria-hidden": "true" }));
  const acts = round?.speaking === name && state.step === "bid";
  return {
    name,
    called: pretty(name),
    mark: won ? "won" : round?.losers.includes(name) ? "lost" : party.out ? "away" : acts ? "acts" : "",
    cards,
    notes: [
      place(state, name),
      suffered(state, name),
      !party.out && meter(party.reversed),
      party.out && h("b", { key: "out" }, t(`tourists.stage.${party.out}`)),
      party.passed && !round?.outcome && h("span", { key: "passed" }, t("tourists.stage.passed")),
    ],
  };
}

/**
 * How a party's total comes about: the best Attribute, Aspects and Weaknesses.
 * @param {Conflict} state
 * @param {string} name
 */
function sum({ game }, name) {
  const members = (game.parties[name]?.characters ?? []).flatMap((who) => game.members[who] ?? []);
  const best = members.flatMap(({ attribute }) => attribute ?? []).sort((one, other) => other.value - one.value)[0];
  const aspects = members.reduce((all, { aspects: own }) => all + own.length, 0);
  const weaknesses = members.reduce((all, { weaknesses: own }) => all + own.length, 0);
  if (!best) return "";
  return [
    `${pretty(best.name)} ${best.value}`,
    aspects && t("tourists.stage.plus", { count: aspects, number: aspects }),
    weaknesses && t("tourists.stage.minus", { count: weaknesses, number: weaknesses }),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * @param {Conflict} state
 * @param {string} who
 * @returns {import("#core/types.js").Person}
 */
function person(state, who) {
  const { members, parties, round } = state.game;
  const member = members[who];
  const party = parties[member.party];
  const reserve = member.reserve.length;
  const said = t("tourists.stage.reserve", {
    count: reserve,
    number: reserve,
    cards: list(member.reserve.map(({ number }) => String(number))),
  });
  return {
    name: who,
    mark: markOf(state, who),
    acts: round?.speaking === member.party || round?.narrator === member.party,
    gone: party.out ? t(`tourists.stage.${party.out}`) : member.conceded ? t("tourists.stage.conceded") : "",
    left: [
      losses(state, who),
      reserve > 0 &&
        h(
          "span",
          { class: "reserve-of", key: "reserve", role: "img", "aria-label": said },
          member.reserve.map(({ number }) => h("i", { key: `reserve-${number}` })),
        ),
    ],
    more: [...member.aspects, ...member.weaknesses].map((text) => h("p", { key: text }, text)),
  };
}

/** @param {Conflict} state */
const ring = (state) =>
  state.game.around.map((name) => {
    const { characters, total, out } = state.game.parties[name];
    const alone = characters.length === 1 && characters[0] === name;
    const goes = [t("tourists.stage.total", { total }), sum(state, name)].filter(Boolean).join(" = ");
    return {
      name,
      called: out ? pretty(name) : alone ? goes : `${pretty(name)}: ${goes}`,
      won: state.game.result?.winner === name,
      people: characters.map((who) => person(state, who)),
    };
  });

/** Between the parties: what would happen as the cards lie. @param {Conflict} state */
function middle(state) {
  const { control, result, foregone } = state.game;
  const would = LAYING.includes(state.step) && wouldSaid(state);
  return [
    !result && !control && h("b", { class: "balanced-of", key: "balanced" }, t("tourists.stage.balanced")),
    would && h("p", { class: "would-of", key: "would" }, t("tourists.stage.would"), " ", h("b", {}, would)),
    foregone && !result && h("em", { key: "foregone" }, t("tourists.stage.foregone")),
  ];
}

/** @param {State} state @returns {Setting} */
export function setting(state) {
  if (!isConflict(state)) return { moment: false, rests: false, pieces: null, quiet: null, ring: [] };
  styled();
  const { around, parties, round, result } = state.game;
  const calm =
    !round || CALM.includes(state.step) || (result !== null && !around.some((name) => parties[name].laid.length));
  return {
    moment: !calm,
    rests: OVER.includes(state.step),
    pieces: calm ? null : { kind: "sides", sides: around.map((name) => side(state, name)), middle: middle(state) },
    quiet: null,
    ring: ring(state),
  };
}
