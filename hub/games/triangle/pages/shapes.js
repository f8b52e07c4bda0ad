/** The drawn signs: the three types of energy and action, places, and the back of a card. */

import { h, once, s } from "#core/dom.js";

/** @type {import("./wire").Action[]} */
export const TYPES = ["attack", "defend", "grapple"];

/**
 * The index of a type in printed order; -1 for other words.
 * @param {string} [word]
 */
export const orderOf = (word) => TYPES.indexOf(/** @type {import("#core/wire.js").Action} */ (word));

const pentagon = s("path", { d: "M12 1.6 22.4 9.2 18.4 21.6H5.6L1.6 9.2Z" });
const circle = s("circle", { cx: 12, cy: 12, r: 10.2 });
const square = s("rect", { x: 2, y: 2, width: 20, height: 20, rx: 1.5 });

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

/**
 * @param {number} x
 * @param {number} y
 * @param {import("#core/types.js").Drawn} inner
 */
const onBack = (x, y, inner) => s("g", { transform: `translate(${x} ${y}) scale(.62) translate(-12 -12)` }, inner);

/** The back of a card: the three types around a triangle. */
export const back = s(
  "svg",
  { class: "pattern", viewBox: "0 0 60 84", "aria-hidden": "true" },
  s("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, class: "line" }),
  s("path", { d: "M30 22 49 55H11Z", class: "line" }),
  s("path", { d: "M30 62 11 29H49Z", class: "line faint" }),
  onBack(30, 21, pentagon),
  onBack(49, 55, circle),
  onBack(11, 55, square),
);
