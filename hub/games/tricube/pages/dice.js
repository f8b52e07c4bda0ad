/** Dice on the table: in a hand, tumbling without faces, or landed. */

import { h } from "#core/dom.js";
import { pretty, t } from "#core/texts.js";

/** @typedef {import("./types").RollView} RollView */

const PLACES = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** The pips of each face, in a grid of three by three. @type {Record<number, number[]>} */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A small die with a face, for a line or a button. @param {number} face */
export const pips = (face) =>
  h(
    "span",
    { class: "own-die", "aria-hidden": "true", key: "die" },
    PLACES.map((at) => h("i", { class: PIPS[face]?.includes(at) ? "on" : "", key: `pip-${at}` })),
  );

/**
 * @param {number|null} face
 * @param {number} at
 * @param {string} look
 */
const die = (face, at, look) =>
  h(
    "span",
    { class: `tale-die ${look}`, key: `die-${at}` },
    PLACES.map((place) =>
      h("i", { class: face !== null && PIPS[face]?.includes(place) ? "on" : "", key: `pip-${place}` }),
    ),
  );

/**
 * A roll's dice, the counting ones highlighted.
 * @param {string} who
 * @param {RollView} roll
 * @param {boolean} tumbles whether they are being thrown now
 */
export function dice(who, { count, dice: thrown, hits, difficulty }, tumbles) {
  const way = thrown ? "lie" : tumbles ? "tumble" : "wait";
  const label = t(`tricube.stage.dice.${way}`, {
    who: pretty(who),
    dice: (thrown ?? []).join(", "),
    number: count,
    count,
  });
  /** @param {number|null} face */
  const look = (face) =>
    face === null
      ? tumbles
        ? "tumbles"
        : "waits"
      : hits === null
        ? ""
        : hits > 0 && face >= (difficulty.final ?? 0)
          ? "counts"
          : "short";
  return h(
    "div",
    { class: "tale-dice", key: "dice", role: "img", "aria-label": label },
    Array.from({ length: count }, (_, at) => thrown?.[at] ?? null).map((face, at) => die(face, at, look(face))),
  );
}
