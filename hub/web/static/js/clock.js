/** The hub's clock, as far as a page can know it: from when events arrive. */

let ahead = 0;
let heard = false;

/** Note the time of an event that has just arrived. */
export function hear(atMs) {
  const difference = Date.now() - atMs;
  // The smallest difference is the one with the least delay on the way; a clock may be set anew.
  if (!heard || difference < ahead || difference > ahead + 2000) ahead = difference;
  heard = true;
}

/** A first idea of the hub's clock, to the second, before any event arrives. */
export async function hearServer() {
  const date = (await fetch(new URL("../../healthz", import.meta.url), { cache: "no-store" })).headers.get("Date");
  const HALF_MS = 500;
  if (date && !heard) hear(Date.parse(date) + HALF_MS);
}

/** Whole seconds until a moment of the hub's clock, never below zero. */
export const secondsUntil = (atMs) => Math.max(0, Math.ceil((atMs - (Date.now() - ahead)) / 1000));

/** The part of a span that is left, from 1 to 0. */
export function partLeft(deadlineMs, seconds) {
  const left = (deadlineMs - (Date.now() - ahead)) / 1000 / seconds;
  return Math.min(1, Math.max(0, left));
}
