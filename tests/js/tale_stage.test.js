import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { easier } from "../../hub/games/tricube/pages/asked-karma.js";
import { beats } from "../../hub/games/tricube/pages/beats.js";
import * as between from "../../hub/games/tricube/pages/between.js";
import { felt, shown } from "../../hub/games/tricube/pages/felt.js";
import { highlights } from "../../hub/games/tricube/pages/recap.js";
import { aloud, prompt, verdict } from "../../hub/games/tricube/pages/say.js";
import * as stage from "../../hub/games/tricube/pages/stage.js";
import { enter, fetchGames } from "../../hub/web/static/js/core/game.js";
import { tally } from "../../hub/web/static/js/core/prompt.js";
import { LONGEST_MS, scoreOf } from "../../hub/web/static/js/core/score.js";
import { loadTexts } from "../../hub/web/static/js/core/texts.js";

await loadTexts();
await fetchGames({ tricube: { stage: async () => stage } }, ["tricube"], ["stage"]);

const difficulty = (set, quirk = 0, karma = 0) => ({
  set,
  quirk,
  karma,
  final: set === null ? null : set + quirk + karma,
});
const roll = (more) => ({
  of: "agile",
  count: 2,
  thrown_by: null,
  dice: null,
  difficulty: difficulty(5),
  quirk: null,
  hindered: null,
  again: false,
  wanted: [],
  karma: null,
  hits: null,
  outcome: null,
  promised_by: null,
  removed: 0,
  gain: null,
  price: null,
  defeated: false,
  moot: false,
  settled: false,
  ...more,
});
const rolling = (rolls, more) => ({
  what: "challenge",
  challenge: "goblins",
  defense: false,
  deadly: false,
  sealed: false,
  by_hand: false,
  rolls,
  order: Object.keys(rolls),
  now: null,
  winner: null,
  ...more,
});
const one = (more) => ({
  trait: "agile",
  concept: "ranger",
  style: "ranged",
  perks: [],
  quirks: [],
  karma: 3,
  karma_max: 3,
  resolve: 3,
  resolve_max: 3,
  afflictions: [],
  absent: null,
  away: false,
  defended: false,
  ...more,
});
const goblins = (more) => ({
  difficulty: 5,
  effort: 4,
  left: 4,
  deadly: false,
  overcome: false,
  bypassed: [],
  ...more,
});
const tale = (seq, game, more) => ({
  seq,
  scene: 1,
  family: "tricube",
  title: "The ruins",
  phase: "decision",
  step: "price",
  turn_number: 1,
  awaited: [],
  committed: [],
  answers: [],
  one_of: [],
  seats: [],
  timer: null,
  game: {
    ruleset: "tricube",
    throws: "table",
    turns: 1,
    around: ["ada", "bo"],
    cast: { ada: one(), bo: one() },
    listed: ["goblins"],
    challenges: { goblins: goblins() },
    rolling: null,
    last_rolling: null,
    asked: null,
    ...game,
  },
  ...more,
});
enter(tale(0, {}));
const ROLLED = { dice: [6, 5], hits: 2, outcome: "exceptional", removed: 2 };
const sealed = (rolls, more) => tale(1, { rolling: rolling(rolls, more) }, { phase: "locked", step: "approach" });
const cues = (before, after) =>
  beats(before, after).map(({ cue, detail }) => [cue, ...Object.values(detail)].flat().join(" "));
/** Return `what` of each beat's state. */
const seen = (found, what) => found.map(({ state }) => what(state.game));

test("approaches turn over while dice tumble; then faces land, then the verdict is said, then tokens go", () => {
  const before = sealed({ ada: roll({ difficulty: difficulty(null) }), bo: roll({ difficulty: difficulty(null) }) });
  const rolls = {
    ada: roll({ ...ROLLED, quirk: "greedy", difficulty: difficulty(5, 1), gain: { what: "karma", amount: 1 } }),
    bo: roll({ dice: [2, 1], hits: 0, outcome: "failure" }),
  };
  const after = tale(2, { rolling: rolling(rolls, { now: "bo" }), challenges: { goblins: goblins({ left: 2 }) } });
  const found = beats(before, after);
  assert.deepEqual(cues(before, after), [
    "turn approach",
    "dice ada 6 5",
    "dice bo 2 1",
    "verdict ada",
    "loss goblins effort 3",
    "loss goblins effort 2",
  ]);
  const own = (game) => game.rolling.rolls;
  assert.deepEqual(
    seen(found, (game) => own(game).ada.quirk),
    Array(6).fill("greedy"),
  );
  assert.deepEqual(
    seen(found, (game) => Boolean(own(game).ada.dice)),
    [false, true, true, true, true, true],
  );
  assert.deepEqual(
    seen(found, (game) => Boolean(own(game).bo.dice)),
    [false, false, true, true, true, true],
  );
  for (const what of ["outcome", "hits"])
    assert.deepEqual(
      seen(found, (game) => own(game).ada[what] !== null),
      [false, false, false, true, true, true],
    );
  assert.deepEqual(
    seen(found, (game) => game.challenges.goblins.left),
    [4, 4, 4, 4, 3, 2],
  );
  assert.deepEqual(
    seen(found, (game) => own(game).ada.removed),
    Array(6).fill(0),
  );
  assert.deepEqual(
    found.map(({ state }) => verdict(state) !== null),
    [false, false, false, true, true, true],
  );
  assert.ok(found.slice(0, 3).every(({ state }) => state.phase === "locked" && state.step === "approach"));
  assert.deepEqual(
    seen(found.slice(0, 3), (game) => game.rolling.tumbles),
    [true, true, true],
  );
});

test("hits without a token left are called spare once the moment is over", () => {
  const words = (state) => JSON.stringify(stage.played(state));
  const spare = { ada: roll({ ...ROLLED, settled: true }), bo: roll({ ...ROLLED, removed: 0, settled: true }) };
  const taken = (more) => ({
    last_rolling: rolling(spare, more),
    challenges: { goblins: goblins({ effort: 2, left: 0, overcome: true }) },
  });
  assert.match(words(tale(2, taken())), /2 hits to spare/);
  assert.equal(words(tale(2, taken())).match(/"key":"[^"]*to spare/g)?.length, 1);
  assert.doesNotMatch(words(tale(2, taken(), { phase: "locked" })), /to spare/);
  assert.doesNotMatch(words(tale(2, taken({ defense: true }))), /to spare/);
});

test("karma is asked for rolls that it changes, one's own first, except those it is already promised for", () => {
  const near = (more) => roll({ dice: [4, 2], hits: 0, outcome: "failure", ...more });
  const asked = (rolls) => easier(tale(1, { rolling: rolling(rolls) }, { step: "karma" }), { actor: "bo" });
  assert.deepEqual(asked({ ada: near(), bo: near(), cy: roll({ dice: [2, 2] }) }), ["bo", "ada"]);
  assert.deepEqual(asked({ ada: near(), bo: near({ wanted: ["bo"], promised_by: "bo" }) }), ["ada"]);
  assert.deepEqual(
    asked({ ada: near({ wanted: ["bo"] }), bo: near({ wanted: ["ada"] }) }),
    ["bo"],
    "ada has no karma for it",
  );
  assert.deepEqual(
    asked({
      ada: near({ wanted: ["ada"], promised_by: "ada" }),
      bo: near({ karma: { by: "ada", perks: ["rope"], paid: 1, complication: null } }),
    }),
    [],
  );
});

test("a moment of eight rolls lasts no longer than any other may", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const each = (more) => Object.fromEntries(names.map((name) => [name, roll(more)]));
  const found = beats(
    sealed(each()),
    tale(2, { rolling: rolling(each(ROLLED), { now: "a" }), challenges: { goblins: goblins({ left: 0 }) } }),
  );
  assert.equal(found.filter(({ cue }) => cue === "dice").length, 8);
  assert.ok(scoreOf(found).ends <= LONGEST_MS + 0.01);
});

test("in a contest the difficulty stays hidden until the faces land", () => {
  const open = { challenge: null };
  const before = sealed(
    { ada: roll({ difficulty: difficulty(null) }), bo: roll({ difficulty: difficulty(null) }) },
    open,
  );
  const after = tale(2, {
    rolling: rolling(
      {
        ada: roll({ ...ROLLED, difficulty: difficulty(3) }),
        bo: roll({ dice: [3, 1], hits: 0, outcome: "failure", difficulty: difficulty(6) }),
      },
      { ...open, now: "ada", winner: "ada" },
    ),
  });
  const found = beats(before, after);
  assert.deepEqual(
    found.map(({ cue }) => cue),
    ["turn", "dice", "dice", "verdict"],
  );
  assert.deepEqual(
    seen(found, (game) => game.rolling.rolls.ada.difficulty.final),
    [null, null, null, 3],
  );
  assert.deepEqual(
    seen(found, (game) => game.rolling.winner),
    [null, null, null, "ada"],
  );
});

test("dice that the table throws on a command tumble, too; dice on the physical table do not", () => {
  const dice = { by_hand: false, challenge: null };
  const after = tale(2, { last_rolling: rolling({ knight: roll(ROLLED) }, dice) }, { step: "scene" });
  assert.deepEqual(cues(tale(1, { rolling: rolling({ knight: roll() }, dice) }, { step: "throw" }), after), [
    "turn throw",
    "dice knight 6 5",
    "verdict knight",
  ]);
  const hand = (rolls, more) => ({ rolling: rolling(rolls, { by_hand: true, ...more }) });
  const thrown = tale(1, hand({ ada: roll(), bo: roll() }), { step: "dice" });
  assert.deepEqual(cues(thrown, tale(2, hand({ ada: roll({ dice: [6, 5] }), bo: roll() }), { step: "dice" })), []);
  const lying = tale(1, hand({ ada: roll({ dice: [6, 5] }), bo: roll() }), { step: "dice" });
  const found = beats(
    lying,
    tale(2, hand({ ada: roll(ROLLED), bo: roll({ dice: [1, 2], hits: 0, outcome: "failure" }) }, { now: "ada" })),
  );
  assert.deepEqual(
    found.map(({ cue }) => cue),
    ["dice", "verdict"],
  );
  assert.ok(!found[0].state.game.rolling.tumbles);
});

test("while karma may still come the verdict is held back; then it follows at once", () => {
  const might = { ada: roll({ dice: [5, 4], hits: 1, outcome: "success", wanted: ["ada"] }) };
  const karma = tale(2, { rolling: rolling(might) }, { step: "karma" });
  assert.deepEqual(cues(sealed({ ada: roll() }), karma), ["turn approach", "dice ada 5 4"]);
  assert.equal(verdict(karma), null);
  const paid = {
    ada: roll({
      ...ROLLED,
      dice: [5, 4],
      difficulty: difficulty(5, 0, -1),
      karma: { by: "ada", perks: ["rope"], paid: 1, complication: null },
    }),
  };
  const after = tale(
    3,
    { rolling: rolling(paid, { now: "ada" }), cast: { ada: one({ karma: 2 }), bo: one() } },
    { step: "victor" },
  );
  assert.deepEqual(cues(karma, after), ["verdict ada", "loss ada karma 2"]);
});

test("a verdict that a later roll waits for is not told with the first", () => {
  const rolls = {
    ada: roll({ dice: [1, 2], hits: 0, outcome: "failure" }),
    bo: roll({ dice: [4, 1], hits: 0, outcome: "failure", wanted: ["ada"] }),
  };
  const { said } = verdict(tale(2, { rolling: rolling(rolls, { now: "ada" }) }));
  assert.equal(said, "Ada: failure.");
});

test("lost resolve breaks token by token, and characters who drop out come last; an undo or another scene shows nothing", () => {
  const before = tale(1, {});
  const after = tale(2, { cast: { ada: one({ resolve: 1, absent: "out" }), bo: one({ karma: 2 }) } });
  assert.deepEqual(cues(before, after), [
    "loss ada resolve 2",
    "loss ada resolve 1",
    "loss bo karma 2",
    "knock-out ada",
  ]);
  assert.deepEqual(cues(after, before), []);
  assert.deepEqual(cues(null, after), []);
  assert.deepEqual(cues({ ...before, scene: 7 }, after), []);
  assert.deepEqual(cues({ ...before, game: null }, after), []);
});

test("players who rolled feel the verdict, each roll separately, and their own exit", () => {
  const before = sealed({ ada: roll() });
  const after = tale(2, {
    rolling: rolling({ ada: roll({ dice: [1, 1], hits: 0, outcome: "critical" }) }, { now: "ada" }),
  });
  const [turned, landed, said] = beats(before, after).map(({ state }) => state);
  assert.equal(felt(before, turned, "ada"), null);
  assert.equal(felt(before, landed, "ada"), null);
  assert.deepEqual(felt(before, said, "ada"), { kind: "defeat", title: "Critical failure", text: "1 1 against 5" });
  assert.equal(felt(after, after, "ada"), null);
  assert.equal(felt(before, after, "bo"), null);
  assert.deepEqual([before, after].map(shown), ["", "11"]);
  assert.equal(felt(after, tale(3, { cast: { ada: one({ absent: "out" }), bo: one() } }), "ada").kind, "out");
});

test("dice and their result are read aloud once", () => {
  const after = tale(2, { rolling: rolling({ ada: roll(ROLLED) }, { now: "ada" }) });
  assert.deepEqual(aloud(sealed({ ada: roll() }), after), ["Ada: 6 5.", "Ada: exceptional success."]);
  assert.deepEqual(aloud(after, after), []);
});

test("an offer says why and what it brings, a wish by which perk and for what", () => {
  const asking = (step, asked) =>
    prompt(
      tale(
        1,
        {
          asked: {
            who: "ada",
            perks: [],
            told: "",
            quirk: null,
            affliction: null,
            patient: null,
            use: null,
            challenge: null,
            roll: null,
            complication: null,
            brings: null,
            ...asked,
          },
        },
        { step },
      ),
    ).more;
  assert.equal(
    asking("accept", { what: "complication", told: "It creaks", quirk: "greedy", brings: 1 }),
    "It creaks. Because of: greedy. It brings Ada a karma.",
  );
  assert.match(
    asking("accept", { what: "complication", told: "It creaks.", brings: 0 }),
    /It brings no karma: Ada has it all\.$/,
  );
  assert.match(asking("accept", { what: "karma", complication: "It rings" }), /^It rings\. It replaces the karma\.$/);
  assert.match(
    asking("nod", { what: "perk", perks: ["rope"], use: "bypass", challenge: "the well", told: "Up we go" }),
    /^With: rope\. It gets past: the well\. Up we go\. /,
  );
  assert.match(
    prompt(
      tale(
        1,
        { asked: { what: "cure", who: "ada", patient: "bo", affliction: "arm", perks: ["herbs"] } },
        { step: "nod" },
      ),
    ).head,
    /^Ada wants to cure Bo of “arm”/,
  );
});

test("dice entered by cards are announced as they were placed", () => {
  assert.equal(tally({ points: ["5", "1", "5"], total: 3 }), "3 of 3: 5, 1, 5");
});

test("with many rolls the headline counts them", () => {
  const rolls = Object.fromEntries(
    ["a", "b", "c"].map((name, at) => [name, roll(at ? { dice: [1, 2], hits: 0, outcome: "failure" } : ROLLED)]),
  );
  assert.equal(verdict(tale(2, { last_rolling: rolling(rolls) }, { step: "scene" })).said, "1 of 3 makes it");
});

test("an evening's highlights are rolls by their final result", () => {
  const state = tale(1, { last_rolling: rolling({ ada: roll() }) });
  const fell = (who, dice, outcome) => ({ what: "dice-fell", who, dice, outcome });
  const outcomes = [
    [fell("ada", [5, 5, 2], "success"), fell("bo", [1, 1], "critical")],
    [
      { what: "roll-made-easier", who: "ada", by: "bo", perks: ["song"] },
      { what: "outcome-changed", who: "ada", outcome: "exceptional" },
      { what: "effort-taken", who: "ada", challenge: "goblins", left: 0 },
      { what: "challenge-overcome", name: "goblins", overcome: true },
    ],
    [{ what: "last-resolve-gone", who: "bo" }],
    [
      { what: "affliction-came", who: "bo", name: "lame", lasts: "permanent" },
      { what: "affliction-came", who: "ada", name: "tired", lasts: "scene" },
    ],
  ].map((came, at) => ({ scene: 1, seq: at + 10, title: "", event: {}, came, state }));
  assert.deepEqual(highlights(outcomes), [
    { title: "Exceptional successes: 1", text: "Ada at “goblins” (5 5 2)", watch: "1.11" },
    { title: "Challenges overcome: 1", text: "“goblins” (the last token by Ada)", watch: "1.11" },
    { title: "Critical failures: 1", text: "Bo at “goblins” (1 1)", watch: "1.10" },
    { title: "Defeats: 1", text: "Bo (“lame”, permanent)", watch: "1.13" },
    { title: "Karma for a friend: 1", text: "Bo for Ada (with song)", watch: "1.11" },
  ]);
  assert.deepEqual(highlights([]), []);
});

test("a scene that the GM has closed says what it leaves undecided", () => {
  const { game } = tale(9, {});
  const closed = (left) => between.head({ scene: 1, title: "", over: false, left, began: game, game });
  assert.deepEqual(closed(null), { head: "The GM has closed the scene", more: "" });
  assert.equal(
    closed({ step: "price", waits: ["gm"] }).more,
    "Left undecided: the price of a failure. Still to answer: the GM.",
  );
});

test("between scenes the page shows what was overcome, and what is new and lasts", () => {
  const knee = { name: "a stiff knee", lasts: "permanent" };
  const cast = { ada: one({ afflictions: [knee] }), bo: one({ afflictions: [knee] }) };
  const { game: began } = tale(1, { cast });
  const { game } = tale(1, {
    listed: ["goblins", "well", "owls"],
    challenges: {
      goblins: goblins({ overcome: true }),
      well: goblins({ effort: 3, left: 1 }),
      owls: goblins({ effort: 2, left: 2 }),
    },
    cast: { ...cast, bo: one({ absent: "dead", afflictions: [knee, { name: "lame", lasts: "permanent" }] }) },
  });
  assert.deepEqual(between.head({ game, over: true }), {
    head: "The scene is over",
    more: "Overcome: goblins. Not finished: well (1 of 3 effort tokens left). Still ahead: owls.",
  });
  const said = JSON.stringify(between.card({ game, began, over: true }));
  assert.match(said, /Bo.*dead and lame \(permanent\)/);
  assert.doesNotMatch(said, /Ada|stiff knee/);
  assert.deepEqual(between.card({ game: began, began, over: true }), [], "nobody brings anything home");
  assert.equal(between.result({ over: false }), between.head({ game, over: false }).head);
});
