import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES } from "#games";
import { cardOf, enter, fetchGames, game, lacking } from "../../hub/web/static/js/core/game.js";
import { GENERIC, readiness } from "../../hub/web/static/js/core/generic.js";
import { prompt } from "../../hub/web/static/js/core/prompt.js";
import { loadTexts } from "../../hub/web/static/js/core/texts.js";

await loadTexts();

const SEATS = [{ seat: "north", characters: ["ada"], reader: "ok", awaited: true, committed: false }];
const DICE = {
  phase: "sealed",
  step: "approach",
  awaited: ["ada", "bo"],
  committed: ["bo"],
  seats: SEATS,
  turn_number: 2,
  title: "The river",
  family: "toy",
  story_family: null,
  game: { ruleset: "toy-dice", step: "approach", number: 7, players: { ada: { tokens: 3, out: false } } },
};
const words = (drawn) =>
  [drawn]
    .flat(Infinity)
    .filter((each) => each && each !== true)
    .map((each) => (typeof each === "object" ? words(each.children) : String(each)))
    .join(" ");

test("a family without pages shows the awaited actors and the public facts", () => {
  enter(DICE);
  assert.equal(game(), GENERIC);
  assert.deepEqual(lacking(GAMES, DICE), []);
  assert.equal(prompt(DICE).head, "Waiting for Ada and Bo");
  assert.equal(prompt(DICE).more, readiness(DICE));
  const said = words(game().body(DICE, { tag: "h2", children: ["!"] }));
  for (const each of ["Number 7", "Players", "Ada", "Tokens 3"]) assert.ok(said.includes(each), `${each}: ${said}`);
  assert.deepEqual(game().beats(null, DICE), []);
});

test("once all have chosen, those who may still answer are named", () => {
  enter(DICE);
  const all = { ...DICE, committed: ["ada", "bo"], answers: ["bo"] };
  assert.equal(readiness(all), "Everyone is ready. Waiting for an answer: Bo.");
  assert.equal(readiness({ ...DICE, answers: ["bo"] }), "Bo is ready. Waiting for Ada.");
});

test("in a group in which one chooses for all, any of them is awaited", () => {
  enter(DICE);
  const either = { ...DICE, awaited: ["ada", "bo", "crow"], committed: [], one_of: [["ada", "bo"]] };
  assert.equal(prompt(either).head, "Waiting for Ada or Bo and Crow");
  assert.equal(
    prompt({ ...DICE, awaited: ["bo", "crow"], committed: ["bo"], one_of: [] }).head,
    "Waiting for Bo and Crow",
  );
});

test("card names are readable words", () => {
  assert.equal(cardOf("approach", "very-bold").name, "Very bold");
  assert.equal(cardOf("pass", "").name, "Pass");
});

test("a family's pages are used while it is played, and not afterwards", async () => {
  const frame = { ...DICE, family: "triangle" };
  assert.deepEqual(lacking(GAMES, frame), ["triangle"]);
  await fetchGames(GAMES, ["triangle"], ["stage", "seat", "gm"]);
  assert.deepEqual(lacking(GAMES, frame), []);
  enter(frame);
  assert.notEqual(game(), GENERIC);
  assert.equal(cardOf("move", "attack-high").name, "Attack High");
  for (const name of Object.keys(GENERIC)) assert.ok(name in game(), name);
  enter(DICE);
  assert.equal(game(), GENERIC);
  enter({ ...DICE, family: null, story_family: "triangle", game: null });
  assert.equal(cardOf("stance", "defend 2").name, "Defend 2");
});
