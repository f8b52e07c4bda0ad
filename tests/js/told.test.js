import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES } from "#games";
import { absent, enter, fetchGames } from "../../hub/web/static/js/core/game.js";
import { loadTexts } from "../../hub/web/static/js/core/texts.js";
import { deedSheet } from "../../hub/web/static/js/pages/gm/deed.js";
import { lines } from "../../hub/web/static/js/pages/gm/sentences.js";

await loadTexts();

const NOTHING = { family: null, story_family: null, game: null };
const CHRONICLE = [
  { event: { type: "committed" }, told: [{ key: "gm.log.committed", places: { actor: "Ada" } }] },
  {
    event: { type: "revealed" },
    told: [
      { key: "gm.log.shown", places: { actor: "Ada", card: { key: "stance.none" } } },
      { key: "loss.total", places: { name: "Ada", total: 2 } },
    ],
  },
  { event: { type: "committed" }, told: [{ key: "gm.log.committed", places: { actor: "Bo" } }] },
  {
    event: { type: "scene-ended" },
    told: [
      {
        key: "gm.log.scene-ended.left",
        places: {
          left: {
            key: "between.undecided",
            places: { what: { key: "between.at-step.veto" }, names: ["Bo", { key: "gm" }] },
          },
        },
      },
    ],
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

test("changes of rules without pages are told plainly", () => {
  enter(NOTHING);
  assert.deepEqual(changed(CHANGES.slice(-1)), ["The tide 1 → 2"]);
});

test("the end of a scene names what is undecided, even when no family is in play", async () => {
  assert.deepEqual(absent(GAMES), ["triangle", "tourists", "tricube"]);
  await fetchGames(GAMES, absent(GAMES), ["stage", "gm"]);
  assert.deepEqual(absent(GAMES), []);
  enter(NOTHING);
  const ends = [
    { who: "", what: ["scene"], before: "The bridge", after: null },
    { who: "", what: ["undecided", "bid"], before: ["ada"], after: null },
  ];
  assert.deepEqual(changed(ends), ["The scene ends.", "Left undecided: the bidding. Still to answer: Ada."]);
});

test("the chronicle is told as the hub says it, without seals that were opened", () => {
  assert.deepEqual(lines(CHRONICLE), [
    "Ada: No stance.",
    "Ada loses 2.",
    "Bo is ready.",
    "The scene ends. Left undecided: whether anyone vetoes. Still to answer: Bo and the GM.",
  ]);
});

test("a deed's changes are told in the family's words and order", () => {
  assert.deepEqual(changed(CHANGES), ["Ada: Attack 4 → 3Grapple 3 → 2Wax On Attack is used up", "The tide 1 → 2"]);
});
