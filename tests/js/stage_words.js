/**
 * What the pages say of each moment: one line of JSON with a language and a state frame. Answers
 * with a line of the prompt, the verdict, and the headline as the display draws it.
 */

import "./browser.js";

import { createInterface } from "node:readline";
import { GAMES } from "#games";
import { enter, fetchGames, game } from "../../hub/web/static/js/core/game.js";
import { prompt } from "../../hub/web/static/js/core/prompt.js";
import { readState } from "../../hub/web/static/js/core/state.js";
import { language, loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";
import { headline } from "../../hub/web/static/js/pages/stage.js";

/** The texts of a drawing. @param {any} part @returns {string[]} */
const texts = (part) => {
  if (Array.isArray(part)) return part.flatMap(texts);
  if (part?.attributes?.get("class") === "log-head") return [];
  if (part?.children) return part.children.flatMap(texts);
  return part || part === 0 ? [String(part)] : [];
};

await loadTexts();
await fetchGames(GAMES, Object.keys(GAMES), ["stage"]);
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.language !== language()) await setLanguage(told.language);
  enter(told.state);
  const state = readState(told.state);
  const { head, more } = prompt(state);
  const verdict = state.game ? game().verdict(state) : null;
  const drawn = texts(headline(state)).join(" ");
  process.stdout.write(`${JSON.stringify({ head, more, verdict, drawn })}\n`);
}
