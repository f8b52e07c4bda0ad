/**
 * Which commands are done at once, with an undo offered right after, and which show a preview
 * first. A command not listed here shows a preview.
 */

import { campaign } from "./game.js";

/** Done with one tap: small, visible on its form, or an answer to the table's question. */
const AT_ONCE = [
  "start-scene",
  "add-character",
  "pause",
  "resume",
  "decide",
  "commit",
  "take-back",
  "withdraw",
  "undo",
  "let-hub-play",
  "play-for",
  "portray",
  "name-evening",
  "set-timer",
  "end-evening",
];
/** The same for deeds of any story, by their `do`; a family adds its own. */
const DO_AT_ONCE = ["begin-countdown", "mark-countdown", "unmark-countdown"];

/**
 * Whether a command shows a preview first.
 * @param {import("./types").Command} command
 */
export function showsFirst({ command, deed }) {
  if (command === "tell-story") return ![...DO_AT_ONCE, ...campaign().atOnce].includes(deed?.do ?? "");
  return !AT_ONCE.includes(command);
}
