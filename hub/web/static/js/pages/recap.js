/**
 * An evening as one self-contained file. It opens as a book, scene by scene; from any place in it,
 * the display's stage replays the play step by step.
 */

import { GAMES } from "#games";
import { h, morph, pageRoot } from "../core/dom.js";
import { absent, fetchGames } from "../core/game.js";
import { dressSoon } from "../core/later.js";
import { findPictures, painter } from "../core/painter.js";
import { paintBy } from "../core/portrait.js";
import { loadTexts, setLanguage } from "../core/texts.js";
import { book } from "./recap/book.js";
import { Seals } from "./recap/seals.js";
import { Stage } from "./recap/stage.js";
import { framesOf } from "./recap/steps.js";

/** @typedef {import("../core/types").RecapData} RecapData */

/** @type {RecapData} */
const recap = JSON.parse(document.getElementById("recap")?.textContent ?? "");
const page = /** @type {HTMLElement} */ (document.getElementById("book"));
const seals = new Seals(recap, draw);
const stage = new Stage(pageRoot(), /** @type {HTMLElement} */ (document.getElementById("scrub")), close);

/** @type {Record<string, string>} */
const pictures = JSON.parse(document.getElementById("pictures")?.textContent ?? "{}");
dressSoon();
paintBy(painter);
findPictures((digest) => pictures[digest] ?? "");
await loadTexts();
const frames = recap.scenes.map(({ steps }) => framesOf(steps));
const families = [...new Set(frames.flat().flatMap(({ family, story_family: story }) => [family, story]))];
await fetchGames(
  GAMES,
  absent(
    GAMES,
    families.filter((each) => typeof each === "string"),
  ),
  ["stage", "gm", "recap"],
);

function draw() {
  morph(page, h("main", {}, book(recap, frames, seals)));
}

/** Show the scene and step named in the address, or the book. */
function turnTo() {
  const [scene, step] = location.hash.slice(1).split(".").map(Number);
  const at = recap.scenes.findIndex(({ number }) => number === scene);
  const opens = at >= 0 && frames[at].length > 0;
  page.hidden = opens;
  const place = /** @type {HTMLElement} */ (document.getElementById("stage"));
  place.hidden = !opens;
  document.body.classList.toggle("book", !opens);
  if (opens)
    stage.open(
      recap.scenes[at],
      frames[at],
      Math.max(
        0,
        recap.scenes[at].steps.findIndex(({ seq }) => seq >= (step || 0)),
      ),
    );
  else stage.close();
}

function close() {
  const here = location.hash.slice(1).split(".")[0];
  location.hash = "";
  document.getElementById(`scene-${here}`)?.scrollIntoView();
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-watch]") : null;
  if (button instanceof HTMLElement) location.hash = button.dataset.watch ?? "";
});
document.addEventListener("change", async ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || !target.matches("[data-language]")) return;
  await setLanguage(target.value);
  draw();
  stage.draw();
});
addEventListener("hashchange", turnTo);
draw();
turnTo();
seals.check();
