/** The hub's clock, as far as a page can know it: from when news arrive. A page's own may be set anew. */

import { HUB } from "./connection.js";

/** How much faster or slower than the hub's a page's clock may walk, in the time from news to news. */
const DRIFT_MS = 5;
const SET_MS = 2000;

/** @type {number|null} */
let ahead = null;
let asked = false;

/**
 * Note the time of news that have just arrived. The least delay on the way tells most; a hub that was
 * started anew may have another clock.
 * @param {number} atMs
 */
export function hear(atMs) {
  const difference = performance.now() - atMs;
  const known = ahead !== null && difference < ahead + SET_MS ? ahead : null;
  ahead = known === null ? difference : Math.min(difference, known + DRIFT_MS);
}

/** A first idea of the hub's clock, to the second, where nothing was heard that tells more. */
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
 * The part of a span that is left, from 1 to 0.
 * @param {number} atMs
 * @param {number} seconds
 */
export const partLeft = (atMs, seconds) => Math.min(1, Math.max(0, leftMs(atMs) / 1000 / seconds));
