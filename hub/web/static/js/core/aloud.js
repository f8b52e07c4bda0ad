// @ts-nocheck
/** The live region: says what has changed between two states, once. */

import { prompt, revealAloud } from "../games/triangle/say.js";
import { stopped } from "./texts.js";

/**
 * What to read aloud when the table comes from one state to the next.
 * @param {Object|null} before
 * @param {Object} after
 * @returns {string}
 */
export function changeAloud(before, after) {
  const said = [];
  const then = before?.game?.turn;
  const now = after.game?.turn;
  if (before && now) {
    const same = then?.number === now.number;
    if (now.stances && !(same && then.stances)) said.push(revealAloud(now, "stance"));
    if (now.moves && !(same && then.moves)) said.push(revealAloud(now, "move"));
  }
  const { head, more } = prompt(after);
  if (before === null || head !== prompt(before).head) said.push(stopped(head), more);
  else if (after.committed.length !== before.committed.length) said.push(more);
  return said.filter(Boolean).join(" ");
}

/** Put a text into the live region. */
export function sayAloud(text) {
  const region = document.getElementById("live");
  if (text && region.textContent !== text) region.textContent = text;
}
