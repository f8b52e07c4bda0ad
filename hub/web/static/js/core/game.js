/** The families of rules: what each shows by itself, and their common fallback. */

import { GENERIC } from "./generic.js";
import { loadMore } from "./texts.js";

/** @typedef {import("./types").Game} Game */
/** @typedef {import("./types").StateFrame} StateFrame */
/** @typedef {import("./types").Games} Games */

/** @type {Map<string, Game>} */
const loaded = new Map();
let current = GENERIC;
let campaigns = GENERIC;

/** The family of the scene that is shown; between scenes, that of the story. */
export const game = () => current;

/** The family of the story between scenes. */
export const campaign = () => campaigns;

/**
 * The family of a state that may not be shown yet.
 * @param {StateFrame} frame
 */
export const gameOf = (frame) => loaded.get(frame.family ?? "") ?? GENERIC;

/**
 * The card of a choice, from the first family that knows it, starting with the current one.
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
 * Ask the families about something past: the current one first, the generic one last.
 * @template T
 * @param {(family: Game) => T} ask null if the family does not know
 */
export function told(ask) {
  for (const each of [current, campaigns, ...loaded.values()]) {
    const said = each === GENERIC ? null : ask(each);
    if (said !== null) return said;
  }
  return ask(GENERIC);
}

/** @typedef {Partial<Pick<StateFrame, "family"|"story_family"|"ended_family">>} Named */

/** @param {Named} frame */
const familiesOf = ({ family, story_family: story, ended_family: ended }) =>
  [family, story, ended].filter((each) => typeof each === "string");

/**
 * The families of a state, or of a hand, whose modules are not loaded yet.
 * @param {Games} games
 * @param {Named} frame
 * @returns {string[]}
 */
export const lacking = (games, frame) => absent(games, familiesOf(frame));

/**
 * The families, of those given or of all, whose modules are not loaded yet.
 * @param {Games} games
 * @param {string[]} [families]
 */
export const absent = (games, families = Object.keys(games)) =>
  families.filter((each) => each in games && !loaded.has(each));

/**
 * Load families' modules. A family that cannot be loaded falls back to the generic one.
 * @param {Games} games
 * @param {string[]} families
 * @param {string[]} faces parts that this page needs
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

/** Retry families that could not be loaded. */
export function forgetFailed() {
  for (const [family, each] of loaded) if (each === GENERIC) loaded.delete(family);
}

/**
 * Load the family that the table is prepared for; it is the current one until another is played.
 * @param {Games} games
 * @param {string} family
 * @param {string[]} faces parts that this page needs
 */
export async function prepareFor(games, family, faces) {
  if (!loaded.has(family)) await fetchGames(games, [family], faces);
  if (current === GENERIC) current = loaded.get(family) ?? GENERIC;
}

/**
 * Make a state's families the current ones.
 * @param {StateFrame} frame
 */
export function enter(frame) {
  const story = loaded.get(frame.story_family ?? "");
  campaigns = story ?? GENERIC;
  current = frame.game ? gameOf(frame) : (story ?? loaded.get(frame.ended_family ?? "") ?? current);
}
