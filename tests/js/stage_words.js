/**
 * What the pages say of each moment: one line of JSON with a language and a state frame. Answers
 * with a line of the prompt and the verdict, and of the words that each page draws: the display in
 * the room (`room`) and *near*, which the recap plays again, the overlay, and the recap's book.
 */

import "./browser.js";

import { createInterface } from "node:readline";
import { GAMES } from "#games";
import { onStage, words } from "../../hub/web/static/js/core/frame.js";
import { enter, fetchGames, game } from "../../hub/web/static/js/core/game.js";
import { headlineSaid, prompt } from "../../hub/web/static/js/core/prompt.js";
import { readState } from "../../hub/web/static/js/core/state.js";
import { language, loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";
import { overlay } from "../../hub/web/static/js/pages/overlay/panes.js";
import { book } from "../../hub/web/static/js/pages/recap/book.js";
import { display } from "../../hub/web/static/js/pages/stage.js";

/** The texts of a drawing. @param {any} part @returns {string[]} */
const texts = (part) => {
  if (Array.isArray(part)) return part.flatMap(texts);
  if (part?.attributes?.get("class") === "log-head") return [];
  if (part?.children) return part.children.flatMap(texts);
  return part || part === 0 ? [String(part)] : [];
};

/** The parts of a drawing with a class. @param {any} part @param {string} name @returns {any[]} */
const parts = (part, name) => {
  if (Array.isArray(part)) return part.flatMap((each) => parts(each, name));
  if (!part?.children) return [];
  return part.attributes.get("class")?.split(" ").includes(name) ? [part] : parts(part.children, name);
};

/** The texts of the parts with a class. @param {unknown} drawing @param {string} name */
const said = (drawing, name) => texts(parts(drawing, name)).join(" ");

/** An evening of one scene with this state as its only step. @param {any} frame */
const evening = (frame) => ({
  scenes: [
    { number: 1, title: "A scene", began_ms: 0, ended_ms: 1, entries: [], steps: [], steps_left_out: 0, seals: [] },
  ],
  check: { sound: true, lines: 1, opened: 0, unopened: 0, problems: [] },
  ...{ evening: "", table: frame.table, log: "", head: "", left_out: 0, pictures: [] },
});

await loadTexts();
await fetchGames(GAMES, Object.keys(GAMES), ["stage", "recap"]);
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.language !== language()) await setLanguage(told.language);
  enter(told.state);
  const state = readState(told.state);
  const stage = onStage(state);
  const recap = book(evening(told.state), [[told.state]], { checkable: false, all: [], sound: new Map() });
  const answer = {
    prompt: prompt(state),
    verdict: state.game ? game().verdict(state) : null,
    near: state.game && said(display({ state, status: "open", notice: "" }), "headline"),
    room: state.game && {
      lead: said(stage, "lead"),
      said: texts(parts(stage, "says").map((each) => each.children.filter(({ tag }) => tag === "h2"))).join(" "),
      why: said(stage, "why-so"),
      next: words(state).next,
    },
    overlay: said(overlay({ state, status: "open" }, "bottom"), state.game ? "headline" : "eyebrow"),
    aloud: headlineSaid(state),
    recap: said(recap, "result"),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
