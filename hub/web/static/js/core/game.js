/** The families of rules that are played: what each shows by itself, and what is the same for all. */

import { GENERIC } from "./generic.js";
import { loadMore } from "./texts.js";

/** @typedef {import("./types").Game} Game */
/** @typedef {import("./types").StateFrame} StateFrame */
/** @typedef {import("./types").Games} Games */

/** @type {Map<string, Game>} */
const loaded = new Map();
let current = GENERIC;
let campaigns = GENERIC;

/** The family of the scene that is shown; after it, and before the next, that of the story. */
export const game = () => current;

/** The family of the story that lasts between scenes. */
export const campaign = () => campaigns;

/**
 * The family of a state that may not be shown yet.
 * @param {StateFrame} frame
 */
export const gameOf = (frame) => loaded.get(frame.family ?? "") ?? GENERIC;

/**
 * The card of a choice, by whatever family knows it: the one that is played is asked first.
 * @param {string} kind
 * @param {string} value
 */
export function cardOf(kind, value) {
  for (const each of [current, ...loaded.values()]) {
    const card = each !== GENERIC && each.card(kind, value);
    if (card) return card;
  }
  return GENERIC.card(kind, value) ?? { name: value };
}

/**
 * What a family says of something that has been, by whichever knows it: the one that is played is
 * asked first, and what stands for those without pages last.
 * @template T
 * @param {(family: Game) => T} ask what it says; null for what it does not know
 */
export function told(ask) {
  for (const each of [current, campaigns, ...loaded.values()]) {
    const said = each === GENERIC ? null : ask(each);
    if (said !== null) return said;
  }
  return ask(GENERIC);
}

/** @param {StateFrame} frame */
const familiesOf = ({ family, story_family: story, ended_family: ended }) => [family, story, ended].filter((each) => typeof each === "string");

/**
 * The families of a state whose modules are not here yet.
 * @param {Games} games
 * @param {StateFrame} frame
 * @returns {string[]}
 */
export const lacking = (games, frame) => absent(games, familiesOf(frame));

/**
 * Those of some families, or of all, whose modules are not here yet.
 * @param {Games} games
 * @param {string[]} [families]
 */
export const absent = (games, families = Object.keys(games)) => families.filter((each) => each in games && !loaded.has(each));

/**
 * Fetch what families show by themselves. One that cannot be fetched is shown as if it had nothing.
 * @param {Games} games
 * @param {string[]} families
 * @param {string[]} faces that this page needs
 */
export async function fetchGames(games, families, faces) {
  for (const family of families) {
    const wanted = faces.flatMap((face) => games[family]?.[face] ?? []);
    try {
      const found = await Promise.all(wanted.map((fetch) => fetch()));
      await Promise.all(found.map(({ sentences }) => sentences && loadMore(sentences)));
      loaded.set(family, Object.assign({}, GENERIC, ...found));
    } catch (error) {
      console.error(error);
      loaded.set(family, GENERIC);
    }
  }
}

/** Another one tells of what has been. @param {string} name @param {Game} family */
export const teach = (name, family) => loaded.set(name, family);

/** What could not be fetched is tried again. */
export function forgetFailed() {
  for (const [family, each] of loaded) if (each === GENERIC) loaded.delete(family);
}

/**
 * A state is shown from now on.
 * @param {StateFrame} frame
 */
export function enter(frame) {
  const story = loaded.get(frame.story_family ?? "");
  campaigns = story ?? GENERIC;
  current = frame.game ? gameOf(frame) : story ?? current;
}
