/** The drawn signs: the three types of energy and action, and places. */

import { h, once, s } from "#core/dom.js";
import { circle, pentagon, square } from "#core/shapes.js";

/** @type {import("./wire").Action[]} */
export const TYPES = ["attack", "defend", "grapple"];

/**
 * The index of a type in printed order; -1 for other words.
 * @param {string} [word]
 */
export const orderOf = (word) => TYPES.indexOf(/** @type {import("#core/wire.js").Action} */ (word));

/** @type {Record<string, import("#core/types.js").Drawn>} */
const OUTLINES = { attack: pentagon, defend: circle, grapple: square };

const hatch = s("path", { class: "hatch", d: "M2.5 13 13 2.5M2.5 21.5 21.5 2.5M11 21.5 21.5 11" });

/** The sign of a type, with a letter inside if given: pentagon, circle, or hatched square. */
export const sign = once((/** @type {string} */ type, /** @type {string} */ letter = "") =>
  s(
    "svg",
    { class: `sign ${type}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    OUTLINES[type],
    type === "grapple" && !letter && hatch,
    letter && s("text", { x: 12, y: 12.8, "text-anchor": "middle", "dominant-baseline": "middle" }, letter),
  ),
);

/** A lost token: its outline. */
export const lostSign = once((/** @type {string} */ type) =>
  s("svg", { class: `sign lost ${type}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, OUTLINES[type]),
);

/** A breaking token: its outline, and two halves that fly apart. */
export const brokenSign = once((/** @type {string} */ type, /** @type {string} */ letter) =>
  h(
    "span",
    { class: "broken" },
    lostSign(type),
    h("span", { class: "half" }, sign(type, letter)),
    h("span", { class: "half" }, sign(type, letter)),
  ),
);

/** @type {Record<string, number>} */
const LEVELS = { high: 5, mid: 12, low: 19 };
const PLACES = [...Object.keys(LEVELS), "jump", "spin"];

/**
 * Whether a place is one of the books' and has a sign; house rules' places have only a name.
 * @param {string} element
 */
export const hasSign = (element) => PLACES.includes(element);

/** The paths of the signs for a jump and a spin. @type {Record<string, string>} */
const AIMED = { jump: "M4 16 12 7 20 16", spin: "M19 12A7 7 0 1 1 15.5 6M12 5.5H16.5V1" };

/**
 * @param {[string, number]} line
 * @param {string} element
 */
const level = ([name, y], element) =>
  s("path", name === element ? { class: "aimed", d: `M3 ${y}H21` } : { class: "idle", d: `M8 ${y}H16` });

const aim = once((/** @type {string} */ element) =>
  s(
    "svg",
    { class: "place", viewBox: "0 0 24 24", preserveAspectRatio: "none", "aria-hidden": "true" },
    element in LEVELS
      ? Object.entries(LEVELS).map((one) => level(one, element))
      : s("path", { class: "aimed", d: AIMED[element] }),
  ),
);

/**
 * A move's target: one of three lines, or the sign of a jump or a spin.
 * @param {string} element
 */
export const place = (element) => (hasSign(element) ? aim(element) : null);

/** A flag, for surrender. */
export const flag = s(
  "svg",
  { class: "sign plain", viewBox: "0 0 24 24", "aria-hidden": "true" },
  s("path", { d: "M5 22V2.5H19L15.5 7.5 19 12.5H7.5V22Z" }),
);
