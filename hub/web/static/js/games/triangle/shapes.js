// @ts-nocheck
/** The signs, drawn: the three types of energy and of actions, places, and the back of a card. */

import { s } from "../../core/dom.js";

export const TYPES = ["attack", "defend", "grapple"];

const OUTLINES = {
  attack: () => s("path", { d: "M12 1.6 22.4 9.2 18.4 21.6H5.6L1.6 9.2Z" }),
  defend: () => s("circle", { cx: 12, cy: 12, r: 10.2 }),
  grapple: () => s("rect", { x: 2, y: 2, width: 20, height: 20, rx: 1.5 }),
};

const hatch = () =>
  s("path", { class: "hatch", d: "M2.5 13 13 2.5M2.5 21.5 21.5 2.5M11 21.5 21.5 11" });

/**
 * The sign of a type: pentagon, circle, or hatched square.
 * @param {string} type
 * @param {string} [letter] drawn inside
 */
export function sign(type, letter = "") {
  return s(
    "svg",
    { class: `sign ${type}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    OUTLINES[type]?.(),
    type === "grapple" && !letter && hatch(),
    letter && s("text", { x: 12, y: 12.8, "text-anchor": "middle", "dominant-baseline": "middle" }, letter),
  );
}

/** A token that was lost: its outline. */
export function lostSign(type) {
  return s("svg", { class: `sign lost ${type}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, OUTLINES[type]());
}

const LEVELS = { high: 5, mid: 12, low: 19 };
export const PLACES = [...Object.keys(LEVELS), "jump", "spin"];

/** Whether a place is of the books, and has a sign; those of house rules have their name alone. */
export const hasSign = (element) => PLACES.includes(element);

/** The paths of the signs for a jump and a spin. */
const AIMED = { jump: "M4 16 12 7 20 16", spin: "M19 12A7 7 0 1 1 15.5 6M12 5.5H16.5V1" };

const level = ([name, y], element) =>
  s("path", name === element ? { class: "aimed", d: `M3 ${y}H21` } : { class: "idle", d: `M8 ${y}H16` });

/** Where a move is aimed: one of three lines, or the sign of a jump or a spin. */
export function place(element) {
  if (!hasSign(element)) return null;
  return s(
    "svg",
    { class: "place", viewBox: "0 0 24 24", preserveAspectRatio: "none", "aria-hidden": "true" },
    element in LEVELS
      ? Object.entries(LEVELS).map((one) => level(one, element))
      : s("path", { class: "aimed", d: AIMED[element] }),
  );
}

/** A flag, for surrender. */
export const flag = () =>
  s(
    "svg",
    { class: "sign plain", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M5 22V2.5H19L15.5 7.5 19 12.5H7.5V22Z" }),
  );

/** The back of a card: the three signs around a triangle. */
export function back() {
  const ring = (x, y, inner) =>
    s("g", { transform: `translate(${x} ${y}) scale(.62) translate(-12 -12)` }, inner);
  return s(
    "svg",
    { class: "pattern", viewBox: "0 0 60 84", "aria-hidden": "true" },
    s("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, class: "line" }),
    s("path", { d: "M30 22 49 55H11Z", class: "line" }),
    s("path", { d: "M30 62 11 29H49Z", class: "line faint" }),
    ring(30, 21, OUTLINES.attack()),
    ring(49, 55, OUTLINES.defend()),
    ring(11, 55, OUTLINES.grapple()),
  );
}

/** The mark of the house: a card that lies face down. */
export const mark = () =>
  s(
    "svg",
    { class: "mark", viewBox: "0 0 48 64", "aria-hidden": "true" },
    s("rect", { x: 4, y: 4, width: 40, height: 56, rx: 6 }),
    s("path", { d: "M24 19 38 43H10Z" }),
  );

/** A cable's plug, for a reader that is lost. */
export const plug = () =>
  s(
    "svg",
    { class: "plug", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M8 2V8M16 2V8M5 8H19V12A7 7 0 0 1 5 12ZM12 19V22M2 2 22 22" }),
  );
