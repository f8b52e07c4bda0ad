/** The chronicle in sentences: what was done, and what followed from it by the rules. */

import { choiceName, specialName } from "../../games/triangle/cards.js";
import { held } from "../../games/triangle/gm/holds.js";
import { verdict } from "../../games/triangle/say.js";
import { splitName } from "../../games/triangle/split.js";
import { knows, list, pretty, sentence, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Entry} Entry */
/** @typedef {import("../../core/types").Line} Line */
/** @typedef {import("../../core/types").WayBack} WayBack */

/** Deeds of the story. */
const DEEDS_TOLD = ["story-told", "character-joined", "character-left"];

/** Events that an undo of the play leaves as they are. */
const UNTOUCHED = [
  ...DEEDS_TOLD,
  "story-begun",
  "story-undone",
  "reader-lost",
  "reader-returned",
  "reader-unreliable",
  "reader-reliable",
  "scene-started",
  "paused",
  "resumed",
  "undone",
  "scene-called-off",
  "scene-reopened",
];

/** Which events each undo takes back: what was played, a deed, a scene's start with all in it, its end. @type {Record<WayBack["what"], (type: string) => boolean>} */
const TAKEN_BACK = {
  play: (type) => !UNTOUCHED.includes(type),
  deed: (type) => DEEDS_TOLD.includes(type),
  start: (type) => ["scene-started", "story-told"].includes(type) || TAKEN_BACK.play(type),
  end: (type) => type === "scene-ended",
};

/**
 * Whether an undo of this takes back an event of this type.
 * @param {string} type
 * @param {WayBack["what"]} what
 */
export const isUndoable = (type, what) => TAKEN_BACK[what](type);

/** Seals: they are told as long as nothing has come of them. */
const SEALS = ["committed", "set-beside", "taken-back", "withdrawn", "seal-dropped", "passed"];

/** @param {string} key @param {Record<string, any>} places */
const said = (key, places) => t(key, Object.fromEntries(Object.entries(places).map(([name, value]) => [name, pretty(value ?? "")])));

/**
 * A decision or declaration in words.
 * @param {string} actor
 * @param {string} choice
 */
export function choiceSaid(actor, choice) {
  const [kind = ""] = choice.split(" ");
  const value = choice.slice(kind.length + 1);
  const exact = `gm.log.${kind}.${value}`;
  if (knows(exact)) return said(exact, { actor });
  const key = `gm.log.${kind}`;
  if (!knows(key)) return `${sentence(pretty(actor))}: ${choiceName(kind, value)}.`;
  const points = ["split", "aim", "gain"].includes(kind) ? splitName(value) : "";
  return sentence(t(key, { actor: pretty(actor), name: pretty(value), points, value }));
}

/** Cards that are shown, by whose they are. @typedef {Record<string, {choice: string}>} Openings */

/** @param {Openings} openings */
const shown = (openings) =>
  Object.entries(openings).map(([name, { choice }]) => {
    const [kind = ""] = choice.split(" ");
    return `${pretty(name)}: ${choiceName(kind, choice.slice(kind.length + 1))}`;
  });

/** @param {Line} event */
function revealed({ openings, beside = {} }) {
  const cards = shown(openings).join("; ");
  const specials = Object.entries(beside).flatMap(([name, laid]) =>
    [laid].flat().map((/** @type {{choice: string}} */ { choice }) => t("gm.log.beside", { actor: pretty(name), special: specialName(choice.replace(/^special /, "")) })));
  return [cards && `${sentence(cards)}.`, ...specials].filter(Boolean);
}

/**
 * What followed: one thing of `came` in words.
 * @param {any} came
 * @param {Line} event
 * @returns {string[]}
 */
function cameSaid(came, event) {
  /** @type {Record<string, any>} */
  const lost = came.losses ?? {};
  const losses = Object.entries(lost).map(([name, total]) => `${t("loss.total", { name: pretty(name), total: total?.total ?? total })}.`);
  switch (came.what) {
    case "turn-won":
    case "turn-surrendered":
    case "turn-tied": {
      /** @type {Openings} */
      const openings = event.openings ?? {};
      const moves = Object.fromEntries(Object.entries(openings).map(([name, { choice }]) => [name, choice.replace(/^move /, "")]));
      /** @type {Record<string, string>} */
      const plain = { "turn-tied": "tie", "turn-surrendered": "surrender" };
      const why = came.why ?? plain[came.what];
      const told = { why, moves, winner: came.winner, loser: came.loser };
      const known = knows(`why.${why}`) && (!["action", "element"].includes(why) || (moves[came.winner] && moves[came.loser]));
      return [known ? verdict(told) : said("gm.log.won", { winner: came.winner }), ...losses];
    }
    case "replaced":
      return [t("special.replaced", { player: pretty(came.name), first: choiceName("move", came.first), move: choiceName("move", came.move) })];
    case "conflict-over":
      return [`${came.winner ? said("over", { side: came.winner }) : t("over.undecided")}. ${knows(`over.${came.reason}`) ? t(`over.${came.reason}`) : ""}`];
    case "problem-over":
      return [`${t(came.success ? "problem.solved" : "problem.failed", { by: sentence(pretty(came.decider ?? "gm")) })}.`];
    default:
      return knows(`gm.came.${came.what}`) ? [sentence(said(`gm.came.${came.what}`, { name: came.name }))] : [];
  }
}

/**
 * What was learned, and what goes beside it.
 * @param {any} choices
 */
function learned({ move, variant, combos = [], energy, special, called, regain, goal, belief, flaw }) {
  const some = [
    move && choiceName("move", move),
    variant && choiceName("move", `${variant.id} ${variant.variant}`),
    ...combos.map((/** @type {{start: string, move: string}} */ one) => t("gm.level.combo", { start: choiceName("move", one.start), move: choiceName("move", one.move) })),
    energy && t("gm.level.energy", { type: t(energy) }),
    special && specialName(special),
    called && `“${called}”`,
    regain && t(`gm.regain.${regain}`),
    ...[goal, belief, flaw].filter(Boolean),
  ];
  return list(some.filter(Boolean));
}

/** The GM's word, with its reason. @param {any} word */
const wordSaid = ({ holds, because }) => t("gm.because", { text: held(holds), why: because });

/** The GM's word over a scene, as a sentence. @param {any} word */
export const overruleSaid = (word) => t("gm.log.overrule", { text: wordSaid(word) });

/** Deeds as the journal keeps them: a key, and what stands in its places. @type {Record<string, (deed: any) => [string, Record<string, any>]>} */
const TYPED = {
  "begin-countdown": ({ name }) => ["countdown.new", { name }],
  "mark-countdown": ({ name }) => ["countdown.mark", { name }],
  "unmark-countdown": ({ name }) => ["countdown.unmark", { name }],
  "erase-countdown": ({ name }) => ["countdown.erase", { name }],
  stakes: ({ words }) => (words ? ["stakes", { rest: words }] : ["stakes.none", {}]),
  rest: ({ kind }) => [`rest.${kind}`, {}],
  recover: ({ name, type, points = 0 }) => ["recover", { rest: type ? `${pretty(name)}, ${t(type)} ${points}` : pretty(name) }],
  lose: ({ name, type, points }) => ["lose", { rest: `${pretty(name)}, ${t(type)} ${points}` }],
  mark: ({ name, trait }) => [`mark.${trait}`, { name }],
  unmark: ({ name, trait }) => [`unmark.${trait}`, { name }],
  rename: ({ name, move, called }) => ["rename", { name, move: choiceName("move", move), called }],
  rewrite: ({ name, trait, words }) => ["rewrite", { name, what: t(`gm.${trait}`), words }],
  background: ({ name, background, called }) => ["background", { name, background, called }],
  "level-up": ({ name, choices }) => ["level-up", { name, rest: learned(choices) }],
  replace: ({ name, by }) => ["replace", { dead: pretty(name), fresh: pretty(by) }],
  join: ({ name }) => ["join", { rest: pretty(name) }],
  overrule: (deed) => ["overrule", { rest: wordSaid(deed) }],
};

/** A deed of the GM's in words. @param {any} deed */
export function deedSaid(deed) {
  const [key, places] = TYPED[deed.do]?.(deed) ?? ["", { deed: JSON.stringify(deed) }];
  return t(key ? `gm.deed.${key}` : "gm.deed", { ...places, ...(places.name && { name: pretty(places.name) }) });
}

/** Which scene begins, what it is and who is in it. @param {Line} event */
function sceneSaid({ scene, title, ruleset, seats }) {
  const kind = t(`gm.log.a.${ruleset.endsWith("-problem") ? "problem" : "conflict"}`);
  const places = { number: scene, kind, title, names: list(Object.values(/** @type {Record<string, string[]>} */ (seats)).flat()) };
  return t(title ? "gm.log.scene" : "gm.log.scene.untitled", places);
}

/**
 * One entry as sentences; none for what nobody needs to read.
 * @param {Entry} entry
 * @returns {string[]}
 */
export function sentencesOf({ event, came = [] }) {
  const after = came.flatMap((one) => cameSaid(one, event));
  const plain = `gm.log.${event.type}`;
  switch (event.type) {
    case "revealed":
      return [...revealed(event), ...after];
    case "decided":
    case "declared":
      return [choiceSaid(event.actor, event.choice), ...after];
    case "overruled":
      return [overruleSaid(event), ...after];
    case "story-told":
      return [deedSaid(event.deed), ...after];
    case "scene-started":
      return [sceneSaid(event), ...after];
    default: {
      const { actor = "", seat = "" } = event;
      const name = event.name ?? event.sheet?.name ?? "";
      return knows(plain) ? [sentence(said(plain, { actor, seat, name })), ...after] : after;
    }
  }
}

/**
 * Entries as sentences, in order; seals that were opened since are left out.
 * @param {Entry[]} entries
 */
export function lines(entries) {
  const last = entries.findLastIndex(({ event }) => event.type === "revealed");
  return entries.filter(({ event }, at) => at > last || !SEALS.includes(event.type)).flatMap(sentencesOf);
}
