import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES } from "#games";
import { absent, enter, fetchGames } from "../../hub/web/static/js/core/game.js";
import { loadTexts } from "../../hub/web/static/js/core/texts.js";
import { deedSheet } from "../../hub/web/static/js/pages/gm/deed.js";
import { deedSaid, lines } from "../../hub/web/static/js/pages/gm/sentences.js";

await loadTexts();

const NOTHING = { family: null, story_family: null, game: null };
const CHRONICLE = [
  { event: { type: "decided", actor: "ada", choice: "opponent bo" } },
  { event: { type: "committed", actor: "ada" } },
  {
    event: {
      type: "revealed",
      openings: { ada: { choice: "move attack-high" }, bo: { choice: "move grapple-low +1" } },
      beside: { bo: [{ choice: "special wax-on-attack" }] },
    },
    came: [
      { what: "turn-won", winner: "bo", loser: "ada", why: "action", losses: { ada: 2 } },
      { what: "out", name: "ada" },
    ],
  },
  { event: { type: "decided", actor: "ada", choice: "split attack 1 grapple 1" } },
  { event: { type: "committed", actor: "bo" } },
  {
    event: {
      type: "overruled",
      holds: { what: "energy", name: "ada", energy: { attack: 3, defend: 2, grapple: 1 } },
      because: "she rested",
    },
  },
];
const text = (part) =>
  [part]
    .flat(Infinity)
    .filter(Boolean)
    .map((each) => (each.children ? text(each.children) : String(each)))
    .join("");

/** The lines of a sheet that shows changes. */
function changed(changes) {
  const ui = {
    sheet: {
      given: { command: { command: "tell-story", deed: { do: "stakes", words: "" } }, label: "", place: "here" },
      drawn: "",
      asked: "",
    },
    commander: { preview: () => "one", hasAsked: () => false, answerTo: () => ({ changes, reason: "" }) },
    pending: () => false,
  };
  const [list] = deedSheet({ version: {}, committed: [], beside: {} }, ui)
    .flat()
    .filter((each) => each?.tag === "ul");
  return list.children.map(text);
}
const CHANGES = [
  { who: "ada", what: ["available"], before: null, after: ["attack-high"] },
  { who: "ada", what: ["energy", "grapple"], before: 3, after: 2 },
  { who: "ada", what: ["energy", "attack"], before: 4, after: 3 },
  { who: "ada", what: ["specials", "wax-on-attack", "used"], before: false, after: true },
  { who: "", what: ["countdowns", "the-tide"], before: 1, after: 2 },
];

test("events of rules without pages are told plainly", () => {
  enter(NOTHING);
  const left = { step: "dance", waits: ["bo", "gm"] };
  assert.deepEqual(lines([{ event: { type: "scene-ended" } }]), ["The scene ends."]);
  assert.deepEqual(lines([{ event: { type: "scene-ended", left } }]), [
    "The scene ends. Left undecided: something in the scene. Still to answer: Bo and the GM.",
  ]);
  assert.deepEqual(
    lines([
      {
        event: { type: "revealed", openings: { ada: { choice: "approach very-bold" } } },
        came: [{ what: "out", name: "bo" }, { what: "rained" }],
      },
    ]),
    ["Ada: Very bold.", "Bo is out."],
  );
  assert.deepEqual(lines([{ event: { type: "decided", actor: "ada", choice: "approach bold" } }]), ["Ada: Bold."]);
  assert.equal(deedSaid({ do: "mark-countdown", name: "the-tide" }), "The tide: one box more.");
  assert.equal(deedSaid({ do: "rain" }), 'The GM writes down: {"do":"rain"}.');
  assert.deepEqual(changed(CHANGES.slice(-1)), ["The tide 1 → 2"]);
});

test("the chronicle uses the family of each event, even when none is in play", async () => {
  assert.deepEqual(absent(GAMES), ["triangle", "tourists", "tricube"]);
  await fetchGames(GAMES, absent(GAMES), ["stage", "gm"]);
  assert.deepEqual(absent(GAMES), []);
  enter(NOTHING);
  const left = { step: "veto", waits: ["gm"] };
  assert.deepEqual(lines([{ event: { type: "scene-ended", left } }]), [
    "The scene ends. Left undecided: whether anyone vetoes. Still to answer: the GM.",
  ]);
  assert.deepEqual(lines([{ event: { type: "scene-ended", left: { step: "price", waits: [] } } }]), [
    "The scene ends. Left undecided: the price of a failure.",
  ]);
  const ends = [
    { who: "", what: ["scene"], before: "The bridge", after: null },
    { who: "", what: ["undecided", "bid"], before: ["ada"], after: null },
  ];
  assert.deepEqual(changed(ends), ["The scene ends.", "Left undecided: the bidding. Still to answer: Ada."]);
  assert.deepEqual(lines(CHRONICLE), [
    "Ada faces Bo.",
    "Ada: Attack High; Bo: Grapple Low +1.",
    "Bo sets down Wax On Attack.",
    "Grapple beats Attack: Bo wins.",
    "Ada loses 2.",
    "Ada is out.",
    "Ada gives up Attack 1 and Grapple 1.",
    "Bo is ready.",
    "The GM overrules: Ada: Attack 3, Defend 2 and Grapple 1, because she rested.",
  ]);
});

test("a deed's changes are told in the family's words and order", () => {
  assert.deepEqual(changed(CHANGES), ["Ada: Attack 4 → 3Grapple 3 → 2Wax On Attack is used up", "The tide 1 → 2"]);
  assert.equal(deedSaid({ do: "lose", name: "ada", type: "attack", points: 2 }), "Lost to a problem: Ada, Attack 2.");
  assert.equal(deedSaid({ do: "mark-countdown", name: "the-tide" }), "The tide: one box more.");
});
