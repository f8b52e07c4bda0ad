/** The hub's clock, estimated from when messages arrive: the page's own clock may be wrong. */

import { HUB } from "./connection.js";

/** Maximum drift between the two clocks from one message to the next. */
const DRIFT_MS = 5;
const SET_MS = 2000;

/** @type {number|null} */
let ahead = null;
let asked = false;

/**
 * Note the hub's time in a message that has just arrived. The smallest delay gives the best
 * estimate; a restarted hub may have a different clock.
 * @param {number} atMs
 */
export function hear(atMs) {
  const difference = performance.now() - atMs;
  const known = ahead !== null && difference < ahead + SET_MS ? ahead : null;
  ahead = known === null ? difference : Math.min(difference, known + DRIFT_MS);
}

/** A rough estimate of the hub's clock, to the second, unless there is a better one. */
export async function askTime() {
  if (ahead !== null || asked) return;
  asked = true;
  const HALF_MS = 500;
  const date = (await fetch(new URL("healthz", HUB), { cache: "no-store" })).headers.get("Date");
  if (date && ahead === null) hear(Date.parse(date) + HALF_MS);
}

/** @param {number} atMs */
const leftMs = (atMs) => atMs - (performance.now() - (ahead ?? performance.now() - Date.now()));

/**
 * Whole seconds until a moment of the hub's clock, never below zero.
 * @param {number} atMs
 */
export const secondsUntil = (atMs) => Math.max(0, Math.ceil(leftMs(atMs) / 1000));

/**
 * The remaining fraction of a span, from 1 to 0.
 * @param {number} atMs
 * @param {number} seconds
 */
export const partLeft = (atMs, seconds) => Math.min(1, Math.max(0, leftMs(atMs) / 1000 / seconds));
