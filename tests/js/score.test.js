import "./browser.js";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { install } from "@sinonjs/fake-timers";

location.protocol = "http:";
const { enter, fetchGames } = await import("../../hub/web/static/js/core/game.js");
const { LONGEST_MS, MOMENT_MS, NEXT_MS, onCue, Score, scoreOf } = await import("../../hub/web/static/js/core/score.js");

/** A family whose reveals turn over one card for each of `cues`. */
const CUES = {
  cues: {
    stage: async () => ({
      beats: (_, { cues = [], cue: kind = "turn" }) =>
        cues.map((cue) => ({ cue: kind, detail: { name: cue }, state: { type: "state", cue } })),
    }),
  },
};
await fetchGames(CUES, ["cues"], ["stage"]);
enter({ family: null, story_family: null, game: null });

// Debian 12's Node 18 can neither replace performance.now nor mock it.
const clock = install({ toFake: ["setTimeout", "clearTimeout", "performance"] });

/** Let time pass, in ms. */
const wait = (ms) => clock.tick(ms);

const state = (seq, more = {}) => ({ type: "state", family: "cues", seq, timer: null, revealed_at: null, ...more });
const reveal = (seq, more = {}) => state(seq, { cues: ["one", "two"], revealed_at: seq, ...more });
const event = (type) => ({ type: "event", line: { type, at_ms: performance.now() } });
const still = () => document.documentElement.classList.contains("still");

let told = [];
let called = [];
let score = null;
onCue((name, detail) => called.push([name, ...Object.values(detail)].join(" ")));
beforeEach(() => {
  clock.reset();
  told = [];
  called = [];
  const name = (frame) =>
    frame.cue ??
    (frame.type === "event" ? frame.line.type : frame.type === "state" ? `state ${frame.seq}` : frame.type);
  score = new Score({ show: (frame) => told.push(name(frame)), tell: (frame) => told.push(name(frame)) });
  score.take(state(1));
});

test("an event is reported together with its resulting state", () => {
  score.take(event("decided"));
  assert.deepEqual(told, ["state 1"]);
  score.take(state(2));
  assert.deepEqual(told, ["state 1", "decided", "state 2"]);
});

test("cards turn over first; their consequences are reported when the moment is over", () => {
  score.take(event("revealed"));
  score.take(reveal(2));
  score.take({ type: "questions" });
  assert.deepEqual(told, ["state 1", "one"]);
  assert.equal(still(), false);
  wait(NEXT_MS);
  assert.deepEqual(told.slice(1), ["one", "two"]);
  wait(MOMENT_MS - NEXT_MS - 1);
  assert.deepEqual(told.slice(1), ["one", "two"]);
  wait(1);
  assert.deepEqual(told.slice(1), ["one", "two", "revealed", "state 2", "questions"]);
  assert.equal(still(), true);
});

test("a player who is asked sees the question with the last step of the moment", () => {
  score = new Score({ show: (frame) => told.push(frame.cue), tell: (frame) => told.push(frame.type), asks: true });
  score.take(state(1));
  told = [];
  const many = ["one", "two", "three", "four", "five", "six"];
  const { beats, ends } = scoreOf(many.map((cue) => ({ cue: "term", detail: {}, state: { type: "state", cue } })));
  const { at } = beats[beats.length - 1];
  score.take(state(2, { cues: many, cue: "term" }));
  score.take({ type: "questions" });
  assert.ok(at < ends);
  wait(at - 1);
  assert.deepEqual(told, many.slice(0, 5));
  wait(2);
  assert.deepEqual(told, [...many, "state", "questions"]);
});

test("an answer does not wait for the moment", () => {
  score.take(reveal(2));
  score.take({ type: "reply" });
  assert.deepEqual(told, ["state 1", "one", "reply"]);
});

test("a page that joins in the middle of a moment plays the rest of it", () => {
  score.join();
  score.take(state(1));
  score.take(reveal(2, { revealed_ago_ms: 900 }));
  assert.deepEqual(told, ["state 1", "state 1", "two"]);
  wait(MOMENT_MS - 901);
  assert.equal(told.length, 3);
  wait(1);
  assert.deepEqual(told, ["state 1", "state 1", "two", "state 2"]);
  score.join();
  score.take(reveal(2, { revealed_ago_ms: 1600 }));
  assert.deepEqual(told.slice(-1), ["state 2"]);
});

test("a page that joins after a moment sees its result at once", () => {
  score.join();
  score.take(reveal(2));
  assert.deepEqual(told, ["state 1", "state 2"]);
});

test("an undo ends the moment at once", () => {
  score.take(event("revealed"));
  score.take(reveal(2));
  score.take(event("undone"));
  score.take(state(3, { revealed_at: 2 }));
  assert.deepEqual(told, ["state 1", "one", "revealed", "state 2", "undone", "state 3"]);
  wait(MOMENT_MS);
  assert.equal(told.length, 6);
});

test("a stream that starts again drops the moment before it", () => {
  score.take(event("revealed"));
  score.take(reveal(2));
  score.join();
  score.take(state(3));
  wait(2 * MOMENT_MS);
  assert.deepEqual(told, ["state 1", "one", "state 3"]);
});

test("a page that joins without the state before waits as long as a moment may last", () => {
  const other = new Score({ show: () => told.push("shown"), tell: ({ seq }) => told.push(seq) });
  told = [];
  other.take(reveal(2, { cues: [], revealed_ago_ms: 1000 }));
  wait(LONGEST_MS - 1001);
  assert.deepEqual(told, []);
  wait(1);
  assert.deepEqual(told, [2]);
});

test("a reveal ends the one before it", () => {
  score.take(reveal(2));
  score.take(event("revealed"));
  score.take(reveal(3, { cues: ["three"] }));
  assert.deepEqual(told, ["state 1", "one", "state 2"]);
  wait(MOMENT_MS);
  assert.deepEqual(told.slice(3), ["three"]);
  wait(MOMENT_MS);
  assert.deepEqual(told.slice(3), ["three", "revealed", "state 3"]);
});

test("states that arrive during a moment wait for its end", () => {
  score.take(reveal(2));
  score.take(state(3, { cues: ["three"], revealed_at: 2 }));
  wait(MOMENT_MS);
  assert.deepEqual(told, ["state 1", "one", "two", "state 2", "three"]);
  wait(MOMENT_MS);
  assert.deepEqual(told.slice(-1), ["state 3"]);
});

test("a score is data: which beat comes when, within the longest moment", () => {
  const of = (...cues) => scoreOf(cues.map((cue) => ({ cue, detail: {}, state: null })));
  const two = of("turn", "turn", "verdict", "term", "term", "term");
  assert.deepEqual(
    two.beats.map(({ at }) => at),
    [0, 450, 1500, 2000, 2200, 2400],
  );
  assert.equal(two.ends, 2750);
  const cues = [
    "turn",
    "turn",
    "strike",
    "strike",
    "verdict",
    ...Array(7).fill("term"),
    ...Array(30).fill("loss"),
    "knock-out",
    "knock-out",
  ];
  const long = of(...cues);
  assert.ok(Math.abs(long.ends - LONGEST_MS) < 1e-6);
  assert.deepEqual(
    long.beats.slice(0, 3).map(({ at }) => at),
    [0, 450, 1500],
  );
  const times = long.beats.map(({ at }) => at);
  assert.deepEqual(
    times,
    [...times].sort((one, other) => one - other),
  );
  assert.deepEqual(of(), { beats: [], ends: 0 });
});

const sealed = (seq, committed, more = {}) =>
  state(seq, { scene: 1, version: { phase: 1 }, phase: "sealed", committed, ...more });

test("listeners are called at each cue, in its moment", () => {
  score.take(sealed(2, []));
  score.take(sealed(3, ["ada"]));
  score.take(sealed(4, ["ada", "bo"], { phase: "locked", reveal_at: "soon" }));
  assert.deepEqual(called, ["sealed ada", "sealed bo", "all-sealed", "roll soon"]);
  called = [];
  score.take(reveal(5, { scene: 1, version: { phase: 2 }, committed: [] }));
  assert.deepEqual(called, ["turn one"]);
  wait(NEXT_MS);
  assert.deepEqual(called, ["turn one", "turn two"]);
  wait(MOMENT_MS);
  assert.deepEqual(called, ["turn one", "turn two"]);
});

test("without a drum roll all is sealed when the first card turns", () => {
  score.take(reveal(2));
  assert.deepEqual(called, ["all-sealed", "turn one"]);
});

test("a page that joins hears no earlier cues", () => {
  score.join();
  score.take(sealed(2, ["ada"]));
  score.take(reveal(3, { revealed_ago_ms: NEXT_MS }));
  assert.deepEqual(called, ["turn two"]);
  wait(1);
});

test("an undo reports everything before it and plays none of it", () => {
  score.take(reveal(2));
  score.take(state(3, { cues: ["three"], revealed_at: 2 }));
  score.take(event("undone"));
  score.take(reveal(4, { cues: ["four"] }));
  assert.deepEqual(told, ["state 1", "one", "state 2", "state 3", "undone", "state 4"]);
  assert.equal(still(), true);
});
