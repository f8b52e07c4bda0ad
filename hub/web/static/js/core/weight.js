/**
 * What is done at once, with its way back offered right after, and what shows first what it will change.
 * A command that is not named here shows it first: the next new one, too.
 */

import { campaign } from "./game.js";

/** One tap is enough: each is small, is shown on its form, or is answered to a question of the table's. */
const AT_ONCE = ["start-scene", "add-character", "pause", "resume", "decide", "commit", "take-back", "withdraw", "undo", "let-hub-play", "play-for", "portray", "name-evening", "set-timer", "end-evening"];
/** Of the deeds of any story, by what they do; a family names its own. */
const DO_AT_ONCE = ["begin-countdown", "mark-countdown", "unmark-countdown"];

/**
 * Whether a command shows first what it will change.
 * @param {import("./types").Command} command
 */
export function showsFirst({ command, deed }) {
  if (command === "tell-story") return ![...DO_AT_ONCE, ...campaign().atOnce].includes(deed?.do ?? "");
  return !AT_ONCE.includes(command);
}
