/** The chronicle in sentences, as the hub words it, and what an undo takes back of it. */

import { sentenceOf } from "../../core/texts.js";

/** @typedef {import("../../core/types").Entry} Entry */
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

/**
 * Entries as sentences, in order, without seals that were opened later.
 * @param {Entry[]} entries
 */
export function lines(entries) {
  const last = entries.findLastIndex(({ event }) => event.type === "revealed");
  return entries
    .filter(({ event }, at) => at > last || !SEALS.includes(event.type))
    .flatMap(({ told }) => told.map(sentenceOf));
}
