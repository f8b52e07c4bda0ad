/** Questions in a scene of a tale, and how they are answered. */

import { h } from "#core/dom.js";
import { inRow } from "#core/grammar.js";
import { fetchStyle, later } from "#core/later.js";
import { knows, pretty, t } from "#core/texts.js";
import { throwing } from "./asked-dice.js";
import { helping, karmaOf } from "./asked-karma.js";
import { curing, using } from "./asked-perks.js";
import { befalling, charging, instead, telling } from "./asked-said.js";
import { wantedSaid } from "./say.js";

/** Only the console needs it. */
const directing = later(async () => (await import("./gm/directing.js")).directing);

fetchStyle("tricube-asked");

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("#core/types.js").Question} Question */
/** @typedef {import("#core/types.js").Offer} Offer */
/** @typedef {import("./types").Tale} Tale */

const GM = "gm";
/** A player's unprompted actions while the GM decides what comes next. */
const OWN = ["perk", "cure"];

/** @type {Record<string, (state: any, ui: Ui, asking: Asking) => import("#core/types.js").Part>} */
const EDITORS = {
  scene: directing,
  dice: throwing,
  karma: helping,
  price: charging,
  fate: befalling,
  victor: telling,
  instead,
  perk: using,
  cure: curing,
};

/**
 * @param {State|null} state
 * @returns {state is Tale}
 */
export const isTale = (state) => state?.game?.ruleset === "tricube";

/**
 * An offer that stands for many choices.
 * @param {string} kind
 * @returns {Offer}
 */
const open = (kind) => ({ choice: kind, kind, value: "", reason: "", why: null, default: false, bounds: null });

/**
 * The actor's possible unprompted actions.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {string} actor
 */
function unasked({ step, game }, ui, actor) {
  const one = game.cast[actor];
  if (ui.console || step !== "scene" || !one || one.away || !one.perks.length) return [];
  const afflicted = Object.values(game.cast).some(
    ({ afflictions, absent }) => afflictions.length > 0 && absent !== "dead",
  );
  // A character who is out can only cure itself.
  const able = one.absent === null || (one.absent !== "dead" && one.afflictions.length > 0);
  return OWN.filter((kind) => (kind === "perk" ? one.absent === null : able && afflicted));
}

/**
 * A decision on karma can be changed until all have decided.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {string} actor
 */
const again = ({ step, awaited, committed }, ui, actor) =>
  !ui.console && step === "karma" && awaited.includes(actor) && committed.includes(actor) ? [step] : [];

/**
 * Regroups the questions: all answers to one question are shown together, and written answers are
 * asked for although the hub offers none.
 * @param {State} state
 * @param {Ui} ui
 * @param {Question[]} questions
 * @returns {Question[]}
 */
export function asks(state, ui, questions) {
  if (!isTale(state) || state.phase !== "decision") return questions;
  const { step } = state;
  return [...state.game.around, GM].flatMap((actor) => {
    const known = questions.find((one) => one.actor === actor);
    const waits = state.awaited.includes(actor) && !state.committed.includes(actor);
    const offers = (known?.offers ?? [])
      .filter(({ kind }) => !known?.free.includes(kind))
      .map((offer) => ({ ...offer, kind: step }));
    const answers = waits ? (offers.length ? offers : [open(step)]) : [];
    const free = [...unasked(state, ui, actor), ...again(state, ui, actor)];
    return answers.length || free.length ? [{ actor, step, offers: [...answers, ...free.map(open)], free }] : [];
  });
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export const editor = (state, ui, asking) => (isTale(state) && EDITORS[asking.kind]?.(state, ui, asking)) || null;

/**
 * What several characters are asked together.
 * @param {State} state
 * @param {string} kind
 * @param {string[]} actors
 */
export const together = (state, kind, actors) => (isTale(state) && kind === "karma" ? karmaOf(state, actors) : null);

/**
 * The text of a button outside of editors.
 * @param {Offer} offer
 */
export function offerName({ choice }) {
  const key = `tricube.own.${choice.replace(" ", ".")}`;
  return knows(key) ? t(key) : null;
}

/** The roll that awaits its price, its fate or the effect of its quirk. @param {Tale} state */
export const nowRoll = ({ game }) => {
  const name = game.rolling?.now ?? "";
  return { name, roll: game.rolling?.rolls[name] ?? null };
};

/**
 * The question for an actor.
 * @param {State} state
 * @param {Asking} asking
 */
export function question(state, { actor, kind, free }) {
  if (!isTale(state)) return "";
  const { asked, rolling } = state.game;
  const { name, roll } = nowRoll(state);
  const own =
    rolling?.rolls[actor] ??
    Object.values(rolling?.rolls ?? {}).find(({ thrown_by: by, dice }) => by === actor && !dice);
  const places = {
    actor: pretty(actor),
    who: pretty(asked?.who ?? name),
    roller: pretty(name),
    count: own?.count ?? 1,
    number: own?.count ?? 1,
    challenge: rolling?.challenge ?? asked?.challenge ?? "",
    affliction: asked?.affliction ?? "",
    patient: pretty(asked?.patient ?? asked?.who ?? ""),
    perks: inRow([...(asked?.perks ?? [])]),
  };
  // The button that unfolds it says it already.
  if (OWN.includes(kind)) return "";
  if (kind === "karma" && free) return t("tricube.ask.karma.again", places);
  if (kind === "price" && roll?.outcome === "critical") return t("tricube.ask.price.critical", places);
  if (kind === "nod" || kind === "instead" || kind === "accept")
    return t(`tricube.ask.${kind}.${asked?.what ?? "perk"}`, places);
  return t(knows(`tricube.ask.${kind}`) ? `tricube.ask.${kind}` : "asks.other", places);
}

/**
 * Notes for each answer.
 * @type {Record<string, (state: Tale, asking: Asking) => Array<string|false|null|undefined>>}
 */
const ASIDES = {
  dice: ({ game }, { actor }) => [
    game.rolling?.rolls[actor] ? hard(game.rolling.rolls[actor], game.rolling.deadly) : null,
  ],
  accept({ game: { asked } }) {
    if (!asked) return [];
    const why = asked.quirk ?? asked.affliction;
    return [
      asked.told || asked.complication || "",
      why !== null && t("tricube.aside.because", { why }),
      asked.what === "complication"
        ? t(asked.brings ? "tricube.aside.brings" : "tricube.aside.brings.none")
        : t("tricube.aside.instead"),
    ];
  },
  nod: (state) => [wantedSaid(state), t("tricube.aside.nod")],
  instead: (state) => [wantedSaid(state), t("tricube.aside.no-karma", { who: pretty(state.game.asked?.who ?? "") })],
  price(state) {
    const { roll } = nowRoll(state);
    return [
      roll?.dice && t("tricube.aside.rolled", { dice: roll.dice.join(" "), final: roll.difficulty.final ?? "" }),
      roll?.outcome === "critical" && t("tricube.aside.critical"),
    ];
  },
  fate(state) {
    const { roll } = nowRoll(state);
    return [
      roll?.outcome === "critical" && t("tricube.aside.permanent"),
      state.game.rolling?.deadly && t("tricube.aside.deadly"),
    ];
  },
  regain: () => [t("tricube.aside.regain")],
};

/**
 * A roll's difficulty, and whether it is deadly.
 * @param {import("./types").RollView} roll
 * @param {boolean} deadly
 */
function hard({ difficulty }, deadly) {
  const said = difficulty.final !== null && t("tricube.aside.hard", { final: difficulty.final });
  return [said, deadly && t("tricube.aside.deadly")].filter(Boolean).join(" ");
}

/**
 * @param {State} state
 * @param {Asking} asking
 */
export const aside = (state, asking) =>
  isTale(state) ? (ASIDES[asking.kind]?.(state, asking) ?? []).flatMap((each) => each || []) : [];

/**
 * Warnings beside a question.
 * @param {State} state
 * @param {string} name
 * @returns {Array<[string, string]>}
 */
export function dangers(state, name) {
  if (!isTale(state)) return [];
  const { rolling, cast } = state.game;
  const one = cast[name];
  if (!one) return [];
  if (one.absent) return [["away", t(`tricube.beware.${one.absent}`)]];
  /** @type {Array<[string, string]>} */
  const found = [];
  const roll = rolling?.rolls[name];
  if (roll && !roll.settled && rolling?.deadly) found.push(["deadly", t("tricube.beware.deadly")]);
  if (roll && !roll.settled && roll.hindered)
    found.push(["minor hindered", t("tricube.beware.hindered", { affliction: roll.hindered })]);
  if (one.resolve === 1) found.push(["minor last", t("tricube.beware.last")]);
  return found;
}

/**
 * The dice and difficulty of a roll, before an approach is laid.
 * @param {State} state
 * @param {string} name
 */
export function facing(state, name) {
  if (!isTale(state) || state.step !== "approach") return null;
  const roll = state.game.rolling?.rolls[name];
  if (!roll) return null;
  const kind = roll.of ? t(`tricube.of.${roll.of}`) : "";
  const { set } = roll.difficulty;
  const said = [
    t("tricube.facing", { kind, number: roll.count, count: roll.count }),
    state.game.rolling?.challenge
      ? t("tricube.facing.at", { challenge: state.game.rolling.challenge })
      : t("tricube.facing.opposed"),
    set === null
      ? t(state.game.rolling?.sealed ? "tricube.facing.sealed" : "tricube.facing.highest")
      : t("tricube.aside.hard", { final: set + roll.difficulty.quirk }),
  ];
  return h("p", { class: "own-tale", key: "facing" }, said.join(" "));
}
