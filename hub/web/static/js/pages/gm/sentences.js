/** The chronicle in sentences: what was done, and its consequences by the rules. */

import { partsOf } from "../../core/cards.js";
import { told } from "../../core/game.js";
import { leftSaid } from "../../core/left.js";
import { knows, list, pretty, sentence, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Entry} Entry */
/** @typedef {import("../../core/types").Line} Line */
/** @typedef {import("../../core/types").WayBack} WayBack */

/** Deeds of the story. */
const DEEDS_TOLD = ["story-told", "character-joined", "character-left"];

/** Events that undoing the play leaves alone. */
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
  "stop-made",
  "undone",
  "scene-called-off",
  "scene-reopened",
  "played-by-gm",
  "played-by-hub",
  "portrayed",
  "stays-away",
  "evening-named",
  "timer-set",
  "clock-set",
];

/**
 * The events that each undo takes back: of the play, a deed, a scene's start with everything in it,
 * or a scene's end.
 * @type {Record<WayBack["what"], (type: string) => boolean>}
 */
const TAKEN_BACK = {
  play: (type) => !UNTOUCHED.includes(type),
  step: (type) => TAKEN_BACK.play(type),
  deed: (type) => DEEDS_TOLD.includes(type),
  start: (type) => ["scene-started", "story-told"].includes(type) || TAKEN_BACK.play(type),
  end: (type) => type === "scene-ended",
};

/**
 * Whether this undo takes back events of this type.
 * @param {string} type
 * @param {WayBack["what"]} what
 */
export const isUndoable = (type, what) => TAKEN_BACK[what](type);

/** Seals: shown only until their reveal. */
const SEALS = ["committed", "set-beside", "taken-back", "withdrawn", "seal-dropped", "passed"];

/** @param {string} key @param {Record<string, string|null|undefined>} places */
const said = (key, places) =>
  t(key, Object.fromEntries(Object.entries(places).map(([name, value]) => [name, pretty(value ?? "")])));

/**
 * A card's name, in its family's words.
 * @param {string} choice
 */
function nameOf(choice) {
  const [kind, value] = partsOf(choice);
  return told((family) => family.card(kind, value))?.name ?? value;
}

/**
 * A decision or declaration in words.
 * @param {string} actor
 * @param {string} choice
 */
export const choiceSaid = (actor, choice) =>
  told((family) => family.choiceSaid(actor, choice)) ?? `${sentence(pretty(actor))}: ${nameOf(choice)}.`;

/** Revealed cards by actor. @typedef {Record<string, {choice: string}>} Openings */

/** @param {Openings} openings */
const shown = (openings) => Object.entries(openings).map(([name, { choice }]) => `${pretty(name)}: ${nameOf(choice)}`);

/** @param {import("../../core/wire").Revealed} event */
function revealed({ openings, beside = {} }) {
  const cards = shown(openings).join("; ");
  const specials = Object.entries(beside).flatMap(([name, laid]) =>
    [laid]
      .flat()
      .map((/** @type {{choice: string}} */ { choice }) =>
        t("gm.log.beside", { actor: pretty(name), special: nameOf(choice) }),
      ),
  );
  return [cards && `${sentence(cards)}.`, ...specials].filter(Boolean);
}

/**
 * A consequence in words.
 * @param {import("../../core/types").Came} came
 * @param {Line} event
 * @returns {string[]}
 */
function cameSaid(came, event) {
  const own = told((family) => family.cameSaid(came, event));
  if (own) return own;
  return knows(`gm.came.${came.what}`) ? [sentence(said(`gm.came.${came.what}`, { name: came.name }))] : [];
}

/** @typedef {{holds: Record<string, unknown>, because: string}} Word */

/** An overrule with its reason, without the reason's own full stop. @param {Word} word */
const wordSaid = ({ holds, because }) =>
  t("gm.because", { text: told((family) => family.held(holds)), why: because.replace(/(?<!\.)\.$/, "") });

/** An overrule in a scene, as a sentence. @param {Word} word */
export const overruleSaid = (word) => t("gm.log.overrule", { text: wordSaid(word) });

/**
 * Deeds of any story as the journal keeps them: the text's key and its placeholders.
 * @type {Record<string, (deed: any) => [string, Record<string, any>]>}
 */
const DEEDS = {
  "begin-countdown": ({ name }) => ["countdown.new", { name }],
  "mark-countdown": ({ name }) => ["countdown.mark", { name }],
  "unmark-countdown": ({ name }) => ["countdown.unmark", { name }],
  "erase-countdown": ({ name }) => ["countdown.erase", { name }],
  stakes: ({ words }) => (words ? ["stakes", { rest: words }] : ["stakes.none", {}]),
  wish: ({ name, wants }) => (wants ? ["wish", { name, rest: deedSaid(wants) }] : ["wish.none", { name }]),
  decline: ({ name, because }) => (because ? ["decline.because", { name, because }] : ["decline", { name }]),
  overrule: (deed) => ["overrule", { rest: wordSaid(deed) }],
};

/** A deed of the GM in words. @param {import("../../core/types").DeedValues} deed */
export function deedSaid(deed) {
  const own = told((family) => family.deedSaid(deed));
  if (own) return own;
  const [key, places] = DEEDS[deed.do]?.(deed) ?? ["", { deed: JSON.stringify(deed) }];
  return t(key ? `gm.deed.${key}` : "gm.deed", { ...places, ...(places.name && { name: pretty(places.name) }) });
}

/**
 * The start of a scene, with its kind and its characters.
 * @param {import("../../core/wire").SceneStarted} event
 */
function sceneSaid({ scene, title, ruleset, seats }) {
  const kind = told((family) => family.sceneSaid(ruleset)) || t("gm.log.a.scene");
  const places = { number: scene, kind, title, names: list(Object.values(seats).flat()) };
  return t(title ? "gm.log.scene" : "gm.log.scene.untitled", places);
}

/**
 * One entry as sentences; none for one that is not worth reading.
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
      return [deedSaid(/** @type {import("../../core/types").DeedValues} */ (event.deed)), ...after];
    case "played-by-gm":
      return [said(event.on ? "gm.log.played-by-gm" : "gm.log.played-by-gm.over", { name: event.actor }), ...after];
    case "evening-named":
      return [t(event.title ? "gm.log.evening" : "gm.log.evening.none", { title: event.title ?? "" })];
    case "timer-set":
      return [
        event.seconds === null
          ? t("gm.log.timer-set.configured")
          : t(event.seconds ? "gm.log.timer-set" : "gm.log.timer-set.none", { seconds: event.seconds ?? 0 }),
      ];
    case "evening-ended":
      return [t(event.on ? "gm.log.evening-ended" : "gm.log.evening-ended.over")];
    case "stays-away":
      return [said(event.on ? "gm.log.stays-away.on" : "gm.log.stays-away.off", { name: event.actor })];
    case "scene-ended":
      return [event.left ? t("gm.log.scene-ended.left", { left: leftSaid(event.left) }) : t(plain), ...after];
    case "scene-started":
      return [sceneSaid(event), ...after];
    case "played-by-hub":
      return [sentence(said(event.on ? "gm.log.hub.on" : "gm.log.hub.off", { actor: event.actor }))];
    default: {
      const { actor = "", seat = "" } = event;
      const name = event.name ?? "";
      return knows(plain) ? [sentence(said(plain, { actor, seat, name })), ...after] : after;
    }
  }
}

/**
 * Entries as sentences, in order, without seals that were opened later.
 * @param {Entry[]} entries
 */
export function lines(entries) {
  const last = entries.findLastIndex(({ event }) => event.type === "revealed");
  return entries.filter(({ event }, at) => at > last || !SEALS.includes(event.type)).flatMap(sentencesOf);
}
