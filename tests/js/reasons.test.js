import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES } from "#games";
import { enter, fetchGames } from "../../hub/web/static/js/core/game.js";
import { explained, inWords, loadReasons } from "../../hub/web/static/js/core/reasons.js";
import { loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";

await loadTexts();
await loadReasons();
await fetchGames(GAMES, ["triangle"], ["stage"]);
enter({ family: "triangle", story_family: null, game: {} });

test("a reason is a sentence, with each value named by its kind", () => {
  assert.equal(inWords({ code: "dead", values: { who: "elbow-clan" } }), "Elbow clan is dead");
  assert.equal(
    inWords({ code: "may-play", values: { who: "ada", moves: ["attack-high", "grapple-low"] } }),
    "Ada may play: Attack High, Grapple Low",
  );
  assert.equal(
    inWords({ code: "sits-out", values: { who: "ada", specials: ["wax-on-attack", "scouter"] } }),
    "Ada cannot take part in this conflict after Wax On Attack or Scouter",
  );
});

test("a reason within a reason is inserted in its place", () => {
  const marks = { code: "three-marks", values: {} };
  assert.equal(
    inWords({ code: "level-up-needs", values: { who: "bo", marks, missing: "a goal" } }),
    "a level-up needs all three marks; Bo has not marked yet: a goal",
  );
});

test("advice is left out where the alternatives are shown next to it", () => {
  const why = { code: "had-turn", values: { who: "ada", advice: { code: "may-act", values: { names: ["bo"] } } } };
  const said = { type: "questions", questions: [{ offers: [{ choice: "active ada", reason: "?", why }] }] };
  assert.equal(explained(said).questions[0].offers[0].reason, "Ada has had a turn, and others of that side have not");
  assert.match(explained({ type: "reply", reason: "?", why }).reason, /\(may act: Bo\)$/);
});

test("a code without a text falls back to the hub's words", () => {
  assert.equal(inWords({ code: "of-tomorrow", values: {} }), null);
  const frame = explained({ type: "reply", reason: "as the hub says it", why: { code: "of-tomorrow", values: {} } });
  assert.equal(frame.reason, "as the hub says it");
});

test("on a change of language only the newest frame of each kind is translated again", async () => {
  const offer = () => ({ choice: "kill yes", reason: "?", why: { code: "dead", values: { who: "ada" } } });
  const old = explained({ type: "questions", questions: [{ offers: [offer()] }] });
  const now = explained({ type: "questions", questions: [{ offers: [offer()] }] });
  const north = explained({ type: "hand", seat: "north", actors: [{ offers: [offer()] }] });
  const south = explained({ type: "hand", seat: "south", actors: [{ offers: [offer()] }] });
  const said = [old, now].map(
    ({
      questions: [
        {
          offers: [{ reason }],
        },
      ],
    }) => reason,
  );
  assert.deepEqual(said, ["Ada is dead", "Ada is dead"]);
  await setLanguage("de");
  await loadReasons();
  assert.equal(old.questions[0].offers[0].reason, "Ada is dead");
  const german = inWords(offer().why);
  assert.notEqual(german, "Ada is dead");
  for (const { reason } of [now.questions[0].offers[0], north.actors[0].offers[0], south.actors[0].offers[0]])
    assert.equal(reason, german);
  await setLanguage("en");
  await loadReasons();
});

test("a frame without reasons stays unchanged", () => {
  const frame = { type: "state", why: { code: "dead", values: { who: "ada" } }, reason: "" };
  assert.equal(explained(frame).reason, "");
});
