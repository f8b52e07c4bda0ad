/** The live region: announces each change between two states once. */

import { game } from "./game.js";
import { prompt } from "./prompt.js";
import { stopped } from "./texts.js";

/** @typedef {import("./types").State} State */

/**
 * Text for screen readers when the table goes from one state to the next.
 * @param {State|null} before
 * @param {State} after
 * @returns {string}
 */
export function changeAloud(before, after) {
  const said = before ? game().aloud(before, after) : [];
  const { head, more } = prompt(after);
  if (before === null || head !== prompt(before).head) said.push(stopped(head), more);
  else if (after.committed.length !== before.committed.length) said.push(more);
  return said.filter(Boolean).join(" ");
}

/**
 * Put a text into the live region.
 * @param {string} text
 */
export function sayAloud(text) {
  const region = document.getElementById("live");
  if (region && text && region.textContent !== text) region.textContent = text;
}
