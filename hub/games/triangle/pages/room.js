/** The triangle on the display: the words of the moment, the two sides' cards, the people. */

import { turningCard } from "#core/cards.js";
import { h } from "#core/dom.js";
import { markOf } from "#core/generic.js";
import { later } from "#core/later.js";
import { list, pretty, sentence, sideName, t } from "#core/texts.js";
import { readChoice, smallCard, specialName } from "./cards.js";
import { stock } from "./energy.js";
import { terms } from "./loss.js";
import { isConflict, isProblem, problemHead, problemWhy, toldWith } from "./problem.js";
import { cameSaid, prompt, whySaid } from "./say.js";
import { sign, TYPES } from "./shapes.js";
import { duellists, gone, sidesOf } from "./sides.js";
import { asCard, faceUp } from "./turnings.js";

export { beats } from "./beats.js";
export { card } from "./cards.js";
export { aloud, leftName, prompt } from "./say.js";
export { back } from "./shapes.js";
export { faceUp } from "./turnings.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("#core/types.js").Person} Person */
/** @typedef {import("#core/types.js").Setting} Setting */
/** @typedef {import("#core/types.js").Side} Side */
/** @typedef {import("./types").InTurn} InTurn */
/** @typedef {import("./types").Conflict} Conflict */
/** @typedef {import("#core/wire.js").TurnView} TurnView */
/** @typedef {import("#core/wire.js").UseView} UseView */

/** Shown by a line of the turn. */
export const tells = ["set-beside"];
/** Steps in which no card is on its way. */
const CALM = ["first", "opponent"];

const legend = later(async () => (await import("./legend.js")).legend);

/** @param {State} state */
export function scene(state) {
  const { game } = state;
  const problem = isProblem(state);
  const kind = problem ? "problem" : "conflict";
  const nature = t(game?.lethal ? "conflict.lethal" : game?.minor ? "conflict.minor" : kind);
  return {
    sort: nature,
    title: state.title || t(kind),
    turns: !problem,
    about: game?.problem ?? "",
    nature,
    note: game?.turn?.kept && !game.result ? t("turn.kept") : "",
  };
}

/**
 * The decision and its reason: of the conflict, its turn, or whose problem it is.
 * @param {State} state
 */
export function verdict(state) {
  if (isProblem(state))
    return state.game.options && state.game.because.length
      ? { said: problemHead(state), why: problemWhy(state) }
      : null;
  if (!isConflict(state)) return null;
  const { turn, result } = state.game;
  if (result && state.phase !== "locked") {
    const { head: said, more: why } = prompt(state);
    return { said, why };
  }
  return turn?.outcome && turn.why && turn.moves ? { lead: whySaid(turn), said: sentence(cameSaid(turn)) } : null;
}

/**
 * Whether a revealed special changed something in this turn.
 * @param {TurnView} turn
 * @param {UseView} use
 */
function worked({ winner, moves, losses, gains, stance_uses: stances, opponent, active }, { player, does, action }) {
  const other = (player === active ? opponent : active) ?? "";
  const beaten = winner === other && readChoice("move", moves?.[other] ?? "").action === action;
  switch (does) {
    case "nothing":
      return false;
    case "recover":
    case "drain":
      return player in gains;
    case "aim":
      return winner === player;
    case "calm":
      return stances[other] === "cancelled";
    case "parry":
      return beaten;
    case "return":
      return beaten && other in losses;
    default:
      return true;
  }
}

/**
 * The specials on a side, for the line below its cards: sealed ones, and those that were shown.
 * @param {InTurn} state
 * @param {string} name of the fighter
 */
function specialsOf(state, name) {
  const { turn, sides } = state.game;
  const side = Object.values(sides).find((members) => members.includes(name)) ?? [];
  const fights = (/** @type {string} */ player) => player === turn.active || player === turn.opponent;
  const own = (/** @type {string} */ player) => player === name || (!fights(player) && side.includes(player));
  const shown = turn.specials
    .filter(({ player }) => own(player))
    .map((use) => {
      const idle = Boolean(turn.outcome) && !worked(turn, use);
      const value = asCard(use);
      return h(
        "span",
        { class: `special-of ${idle ? "no-effect" : ""}`, key: `special-${use.player}-${value}` },
        h("b", {}, specialName(value)),
        idle && ` ${t("special.no-effect")}`,
      );
    });
  const sealed = state.beside
    .filter(own)
    .map((player, nth) => h("span", { class: "special-of", key: `beside-${player}-${nth}` }, t("special.slot")));
  return [...shown, ...sealed];
}

/**
 * A fighter's card of one kind, or its empty place.
 * @param {InTurn} state
 * @param {string} name
 * @param {"stance"|"move"} kind
 */
function laid(state, name, kind) {
  const { turn } = state.game;
  const value = faceUp(state, kind, name);
  const key = `${kind}-${state.scene}-${turn.number}-${name}`;
  const awaited = state.step === kind && state.awaited.includes(name);
  if (value !== null || (state.step === kind && state.committed.includes(name))) {
    const extra = kind === "stance" ? (turn.stance_uses[name] ?? "") : "";
    return turningCard({ key, kind, value, hidden: t(`facedown.${kind}`), extra });
  }
  return h(
    "div",
    {
      class: `vacant ${awaited ? "awaited" : ""}`,
      role: "img",
      "aria-label": `${t(`${kind}.slot`)}: ${t("empty.slot")}`,
      key: `vacant-${kind}`,
    },
    h("span", {}, t(`${kind}.slot`)),
  );
}

/**
 * @param {InTurn} state
 * @param {string|null} name
 * @returns {Side}
 */
function fighter(state, name) {
  const { turn } = state.game;
  if (!name) return { name: "nobody", called: "?", mark: "", cards: [], notes: [] };
  const decided = turn.winner === name ? "won" : turn.winner ? "lost" : "";
  return {
    name,
    called: pretty(name),
    mark: turn.outcome ? decided : name === turn.active ? "acts" : "",
    cards: [laid(state, name, "stance"), laid(state, name, "move")],
    notes: specialsOf(state, name),
  };
}

/**
 * Between the two before the moves are shown: what each would lose at most, by the action that beats
 * it.
 * @param {TurnView} turn
 * @param {string|null} left
 */
function awaited({ risks, active, opponent }, left) {
  const [first, second] = left === active ? [active, opponent] : [opponent, active];
  /** @param {string|null} winner @param {string|null} loser */
  const risk = (winner, loser) => {
    const most = risks[loser ?? ""] ?? {};
    const types = TYPES.filter((type) => type in most);
    if (!winner || !loser || !types.length) return null;
    const costs = list(types.map((type) => t("risks.by", { type: t(type), total: most[type] ?? 0 })));
    const label = t("risks.said", { winner: pretty(winner), loser: pretty(loser), costs });
    return h(
      "p",
      {
        class: `risk-of ${winner === first ? "right" : "left"}`,
        key: `risk-${loser}`,
        role: "img",
        "aria-label": label,
      },
      h("span", { class: "who", key: "who" }, t("risks", { name: pretty(loser) })),
      h(
        "span",
        { class: "by-type", key: "most" },
        types.map((type) => h("b", { class: type, key: type }, sign(type), most[type])),
      ),
    );
  };
  const all = [risk(first, second), risk(second, first)].filter(Boolean);
  return all.length ? all : h("span", { key: "versus" }, t("versus"));
}

/**
 * Between the two: who beats whom, and what it costs.
 * @param {TurnView & {counted?: number}} turn
 * @param {string|null} left
 */
function middle(turn, left) {
  if (!turn.outcome) return awaited(turn, left);
  const points = turn.winner ? (turn.winner === left ? "›" : "‹") : "=";
  return [
    h("span", { class: "points", key: `points-${points}`, "aria-hidden": "true" }, points),
    Object.entries(turn.losses).map(([name, loss]) => {
      const { written, total, all } = terms(turn, name, loss);
      if (!all) return null;
      return h(
        "p",
        { class: "cost-of", key: `cost-${name}` },
        h("span", { key: "who" }, t("loses", { name: pretty(name) })),
        h("b", { class: "total", key: `total-${total}` }, total),
        all > 1 && h("span", { class: "terms-of", key: "terms" }, written),
      );
    }),
  ];
}

/** @param {Conflict} state @returns {Setting["pieces"]} */
function pieces(state) {
  if (!state.game.turn) return null;
  const playing = /** @type {InTurn} */ (state);
  const [left, right] = duellists(playing);
  return {
    kind: "sides",
    sides: [fighter(playing, left), fighter(playing, right)],
    middle: middle(playing.game.turn, left),
  };
}

/**
 * @param {Conflict} state
 * @param {string} name
 * @returns {Person}
 */
function person(state, name) {
  const { characters, combo, result, turn } = state.game;
  /** @type {import("#core/wire.js").CharacterView & {broken?: Record<string, number>, falls?: boolean}} */
  const one = characters[name];
  const { face_up: lost, specials_left: specials, bound, last_stand: last } = one;
  const more = [
    specials?.length &&
      h("p", { key: "specials" }, t("specials.left", { specials: specials.map(specialName).join(", ") })),
    bound && h("p", { key: "bound" }, t("special.bound", { name: pretty(bound) })),
    last && h("p", { key: "last" }, t("special.last")),
    lost.length > 0 && [
      h("p", { key: "disadvantage" }, t("disadvantage.cards")),
      h(
        "ul",
        { key: "lost" },
        lost.map((value) => smallCard(value)),
      ),
    ],
    combo?.victim === name && [
      h("p", { key: "combo" }, t("combo.cards", { name: pretty(name) })),
      h(
        "ul",
        { key: "moves" },
        combo.moves.map((value) => smallCard(value)),
      ),
    ],
  ];
  return {
    name,
    mark: markOf(state, name),
    acts: !result && (turn?.active === name || turn?.opponent === name),
    gone: gone(one),
    falls: one.falls,
    left: TYPES.map((type) => stock(one, type)),
    more: more.some(Boolean) && more,
  };
}

/** @param {Conflict} state */
const ring = (state) =>
  sidesOf(state.game).map((name) => ({
    name,
    called: sideName(name),
    won: state.game.result?.winner === name,
    people: (state.game.sides[name] ?? []).map((member) => person(state, member)),
  }));

/**
 * A problem: the number of each, side by side.
 * @param {import("./types").Problem} state
 * @returns {Setting}
 */
function problem(state) {
  const { game } = state;
  const teller = game.vetoer ?? game.decider;
  const sides = game.interested.map((name) => {
    const value = faceUp(state, "option", name);
    const lies = value !== null || (state.step === "option" && state.committed.includes(name));
    const key = `option-${state.scene}-${name}`;
    const hidden = t("facedown.option");
    return {
      name,
      called: pretty(name),
      mark: /** @type {Side["mark"]} */ (teller === name ? "won" : ""),
      cards: [
        lies
          ? turningCard({ key, kind: "option", value, hidden })
          : h("div", { class: "vacant awaited", key: "vacant", role: "img", "aria-label": t("empty.slot") }),
      ],
      notes: teller === name ? [toldWith(game)] : [],
    };
  });
  return {
    moment: true,
    rests: false,
    pieces: { kind: "sides", sides, middle: game.problem },
    quiet: null,
    ring: [
      {
        name: "all",
        called: "",
        won: false,
        people: game.interested.map((name) => ({
          name,
          mark: markOf(state, name),
          acts: teller === name,
          gone: "",
          left: null,
          more: null,
        })),
      },
    ],
  };
}

/** @param {State} state @returns {Setting} */
export function setting(state) {
  if (isProblem(state)) return problem(state);
  if (!isConflict(state)) return { moment: false, rests: false, pieces: null, quiet: null, ring: [] };
  const calm = !state.game.turn || CALM.includes(state.step);
  return {
    moment: !calm,
    rests: ["next", "over"].includes(state.step),
    pieces: calm ? null : pieces(state),
    quiet: legend(state.game),
    ring: ring(state),
  };
}
