import assert from "node:assert/strict";
import { test } from "node:test";

import { beats } from "../../hub/games/triangle/pages/beats.js";
import { asCard, faceUp } from "../../hub/games/triangle/pages/turnings.js";

const turnings = (before, after) =>
  beats(before, after)
    .filter(({ cue }) => cue === "turn")
    .map(({ state }) => state);
const SIDES = { west: ["ada"], east: ["bo"] };
const energy = (attack) => ({ attack, defend: 1, grapple: 0 });
const CHARACTERS = { ada: { moves: [], energy: energy(3) }, bo: { moves: [], energy: energy(2) } };
const TURN = { number: 1, active: "bo", opponent: "ada", stances: null, moves: null, replaced: {}, specials: [] };

/** A state of the stream; `turn` overrides parts of the plain turn. */
const frame = (seq, turn = {}, more = {}) => ({
  scene: 1,
  seq,
  phase: "sealed",
  step: "move",
  awaited: ["bo", "ada"],
  committed: ["ada"],
  timer: { seconds: 9 },
  revealed_at: null,
  beside: [],
  seats: [
    { seat: "north", characters: ["ada"], awaited: true, committed: true },
    { seat: "south", characters: ["bo"], awaited: true, committed: false },
  ],
  game: { sides: SIDES, characters: CHARACTERS, options: null, turn: { ...TURN, ...turn } },
  ...more,
});
const MOVES = { bo: "grapple-low", ada: "attack-high" };

test("cards turn over one after another, the leftmost first", () => {
  const cues = turnings(frame(1), frame(2, { moves: MOVES }));
  assert.deepEqual(
    cues.map(({ game }) => game.turn.moves),
    [{ ada: "attack-high" }, MOVES],
  );
});

test("until the first turns over, every card is face down and no consequence shows", () => {
  const [first] = turnings(frame(1), frame(2, { moves: MOVES, winner: "bo" }, { phase: "decision", step: "split" }));
  assert.equal(first.phase, "locked");
  assert.equal(first.step, "move");
  assert.equal(first.timer, null);
  assert.deepEqual(first.committed, ["bo", "ada"]);
  assert.deepEqual(
    first.seats.map(({ committed }) => committed),
    [true, true],
  );
  assert.equal(first.game.turn.winner, undefined);
  assert.equal(faceUp(first, "move", "ada"), "attack-high");
  assert.equal(faceUp(first, "move", "bo"), null);
});

test("where a special replaces a move, the placed move turns over first", () => {
  const cues = turnings(frame(1), frame(2, { moves: MOVES, replaced: { ada: "defend-mid" } }));
  assert.deepEqual(cues.at(-1).game.turn.moves, { ...MOVES, ada: "defend-mid" });
});

test("specials turn over as cards, and a player without one shows that", () => {
  const before = frame(1, {}, { step: "specials", revealed_at: null });
  const after = frame(
    2,
    { specials: [{ player: "bo", special: "liquid-metal", copied: "precise" }] },
    { revealed_at: 5 },
  );
  const cues = turnings(before, after);
  assert.deepEqual(
    cues.map((each) => faceUp(each, "special", "ada")),
    ["none", "none"],
  );
  assert.deepEqual(
    cues.map((each) => faceUp(each, "specials", "bo")),
    [null, "liquid-metal as precise"],
  );
  assert.equal(asCard({ special: "scouter", copied: null }), "scouter");
});

test("the options of a problem turn over one by one", () => {
  const options = { ada: 2, bo: 4 };
  const shown = turnings(frame(1), frame(2, {}, { game: { interested: ["bo", "ada"], options, turn: null } }));
  assert.deepEqual(
    shown.map((each) => [faceUp(each, "option", "bo"), faceUp(each, "option", "ada")]),
    [
      ["4", null],
      ["4", "2"],
    ],
  );
});

test("nothing turns over without a reveal, after an undo, or in another turn or scene", () => {
  const after = frame(2, { moves: MOVES });
  assert.deepEqual(turnings(null, after), []);
  assert.deepEqual(turnings(frame(1), frame(2)), []);
  assert.deepEqual(turnings(frame(3), after), []);
  assert.deepEqual(turnings(frame(1, {}, { scene: 2 }), after), []);
  assert.deepEqual(turnings(frame(1, { number: 2 }), after), []);
  assert.deepEqual(turnings(frame(1, { moves: MOVES }), after), []);
});
