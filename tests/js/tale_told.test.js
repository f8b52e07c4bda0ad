import "./browser.js";

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { flag, held, label, said } from "../../hub/games/tricube/pages/gm/holds.js";
import { begins, cameSaid, choiceSaid, sceneSaid } from "../../hub/games/tricube/pages/gm/told.js";
import { knows, loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";
import { overrulesOf } from "./overrules.js";

await loadTexts();

const rollers = { ada: {}, bo: {} };
const SAID = [
  ["call", { challenge: "wall", type: "agile", rollers }],
  ["call", { challenge: { name: "wall", effort: 2 }, type: "melee", rollers: { ada: {} } }],
  ["call", { challenge: "wall", type: "agile", rollers, sealed: true }],
  ["call", { challenge: "wall", type: "agile", rollers, defense: true }],
  ["call", { challenge: "wall", type: "agile", rollers: { bo: {} }, defense: true, sealed: true }],
  ["oppose", { sides: { ada: { type: "agile" }, bo: { type: "melee" } } }],
  ["npcs", { sides: { knight: 3, witch: 2 } }],
  ["offer", { who: "ada" }],
  ["offer", { who: "ada", quirk: "greedy", told: "the silver shines" }],
  ["challenge", { name: "wall" }],
  ["recover", { who: "ada", affliction: "arm" }],
  ["convert", { who: "ada", affliction: "arm" }],
  ...["impact", "automatic", "bypass", "attempt", "flavour"].map((use) => [
    "perk",
    { perks: ["rope"], use, challenge: "wall", told: "so" },
  ]),
  ["cure", { affliction: "arm", perks: ["rope"] }],
  ["cure", { affliction: "arm", who: "bo", perks: ["rope"] }],
  ["karma", { perks: ["rope", "song"] }],
  ["karma", { perks: ["rope"], for: "bo" }],
  ["price", { resolve: true }],
  ["price", { complication: "the bell", told: "it rings" }],
  ["fate", { affliction: "arm" }],
  ["fate", { affliction: "arm", stays: true }],
  ["fate", { affliction: "arm", fatal: true }],
].map(([kind, value]) => `${kind} ${JSON.stringify(value)}`);
const CHOICES = [
  ...SAID,
  "turn",
  "end",
  "throw",
  "approach plain",
  "approach quirk greedy",
  "difficulty 5",
  "dice 5 3 2",
  "karma none",
  "karma rope",
  "complication",
  "complication the bell rings",
  "accept yes",
  "accept no",
  "nod yes",
  "nod no",
  "regain karma",
  "regain resolve",
  "price",
  "told",
  "told they run",
];
/** Consequences by kind, each in all its forms. */
const FOLLOWED = {
  "challenge-came": [
    { name: "wall", difficulty: null, effort: 3, deadly: true },
    { name: "wall", difficulty: 5, effort: 0, deadly: false },
  ],
  "challenge-changed": [{ name: "wall", difficulty: 5, effort: 3, left: 2, deadly: true }],
  "challenge-overcome": [
    { name: "wall", overcome: true },
    { name: "wall", overcome: false },
  ],
  "challenge-gone": [{ name: "wall" }],
  "challenge-bypassed": [
    { name: "wall", who: "ada", bypassed: true },
    { name: "wall", who: "ada", bypassed: false },
  ],
  "dice-fell": [
    ...["exceptional", "success", "even", "failure", "critical"].map((outcome) => ({
      who: "ada",
      dice: [5, 3],
      final: 5,
      quirk: null,
      hindered: null,
      hits: 1,
      outcome,
    })),
    { who: "ada", dice: [5, 3], final: 6, quirk: "greedy", hindered: null, hits: 0, outcome: "failure" },
    { who: "ada", dice: [5, 3], final: null, quirk: null, hindered: null, hits: null, outcome: null },
  ],
  "roll-made-easier": [
    { who: "ada", by: "ada", perks: ["rope"], paid: 1, complication: null },
    { who: "ada", by: "bo", perks: ["rope"], paid: 1, complication: null },
    { who: "ada", by: "bo", perks: ["rope"], paid: 0, complication: "late" },
  ],
  "outcome-changed": [
    { who: "ada", final: 4, hits: 1, outcome: "success" },
    { who: "ada", final: null, hits: null, outcome: null },
  ],
  "came-to-nothing": [{ who: "ada" }],
  "effort-taken": [
    { who: "ada", challenge: "wall", removed: 1, left: 2 },
    { who: "ada", challenge: "wall", removed: 2, left: 2 },
    { who: "ada", challenge: "wall", removed: 1, left: 0 },
    { who: "ada", challenge: "wall", removed: 2, left: 0 },
  ],
  "token-regained": ["karma", "resolve"].flatMap((regained) =>
    [0, 1].map((amount) => ({ who: "ada", regained, amount })),
  ),
  "price-paid": [
    { who: "ada", resolve: 1, complication: null },
    { who: "ada", resolve: 2, complication: "late" },
    { who: "ada", resolve: 0, complication: null },
  ],
  "last-resolve-gone": [{ who: "ada" }],
  "contest-decided": [
    { sides: ["ada", "bo"], winner: "bo" },
    { sides: ["ada", "bo"], winner: null },
  ],
  "affliction-came": ["scene", "longer", "permanent"].map((lasts) => ({ who: "ada", name: "arm", lasts })),
  "affliction-gone": [{ who: "ada", name: "arm" }],
  "quirk-came": [{ who: "ada", name: "vain" }],
  "quirk-gone": [{ who: "ada", name: "vain" }],
  "karma-now": [{ who: "ada", karma: 2, most: 3 }],
  "resolve-now": [{ who: "ada", resolve: 2, most: 3 }],
  "absent-now": ["out", "retired", "dead", null].map((absent) => ({ who: "ada", absent })),
};
const OVERRULED = [
  { what: "dice", name: "ada", dice: [5, 3] },
  { what: "difficulty", name: "ada", difficulty: 4 },
  { what: "no-roll" },
  { what: "challenge", name: "wall", difficulty: 4, effort: 3, left: 2, deadly: true, over: false },
  { what: "no-challenge", name: "wall" },
  { what: "bypassed", name: "wall", who: "ada" },
  { what: "bypassed", name: "wall", who: "ada", bypassed: false },
  { what: "tokens", name: "ada", karma: 2, resolve: 1 },
  { what: "out", name: "ada" },
  { what: "out", name: "ada", out: false },
  { what: "dead", name: "ada" },
  { what: "dead", name: "ada", dead: false },
  { what: "affliction", name: "ada", affliction: "arm" },
  { what: "no-affliction", name: "ada", affliction: "arm" },
  { what: "quirk", name: "ada", quirk: "vain" },
  { what: "no-quirk", name: "ada", quirk: "vain" },
];

for (const language of ["en", "de"])
  test(`everything in a tale has words, in ${language}`, async () => {
    await setLanguage(language);
    const told = [
      ...CHOICES.map((choice) => choiceSaid("ada", choice)),
      ...OVERRULED.map(held),
      ...Object.entries(FOLLOWED).flatMap(([what, all]) => all.flatMap((more) => cameSaid({ what, ...more }, {}))),
    ];
    for (const text of told) assert.ok(text?.includes(" ") && !/tricube\.|\{|undefined|null/.test(text), String(text));
    assert.equal(new Set(told).size, told.length, told.filter((each, at) => told.indexOf(each) !== at).join());
    assert.equal(choiceSaid("ada", "active bo"), null);
    assert.equal(choiceSaid("ada", "call {broken"), null);
    assert.equal(cameSaid({ what: "turn-won" }, {}), null);
    assert.notEqual(sceneSaid("tricube"), "");
    assert.equal(sceneSaid("tourists"), null);
    await setLanguage("en");
  });

test("a paragraph begins with each call", () => {
  assert.ok(begins(SAID[0]) && begins("turn"));
  assert.ok(!begins("karma none") && !begins("turned"));
});

test("every consequence of a tale has words, and so does each field of an overrule", async () => {
  const rules = await readFile(new URL("../../hub/games/tricube/rules/consequences.py", import.meta.url), "utf8");
  const tags = [...rules.matchAll(/tag="([a-z-]+)"/g)].map(([, tag]) => tag);
  assert.ok(tags.length > 15);
  assert.deepEqual(tags.sort(), Object.keys(FOLLOWED).sort());
  const overrules = await overrulesOf("tricube");
  const whats = overrules.map(({ what }) => what);
  assert.deepEqual(whats.sort(), [...new Set(OVERRULED.map(({ what }) => what))].sort());
  for (const what of whats) assert.ok(said("what", what).includes(" "), what);
  const fields = overrules.flatMap((each) => each.fields);
  for (const field of ["what", "name", ...fields])
    assert.ok(label(field) && (knows(`tricube.holds.of.${field}`) || knows(`tricube.field.${field}`)), field);
  for (const field of ["deadly", "over", "bypassed", "out", "dead"])
    for (const yes of [true, false]) assert.ok(!flag(field, yes).includes("tricube."), field);
});

test("an overrule's words fit into the middle of a sentence, without capitals", async () => {
  const goblins = { what: "challenge", name: "goblins", difficulty: 5, left: 1, effort: 4, deadly: true, over: false };
  await setLanguage("en");
  assert.equal(
    held(goblins),
    "goblins: difficulty 5, 4 effort tokens in all, 1 effort token left, deadly and not overcome",
  );
  await setLanguage("de");
  assert.equal(
    held(goblins),
    "goblins: Schwierigkeit 5, 4 Aufwandsmarken insgesamt, 1 Aufwandsmarke übrig, tödlich und nicht bezwungen",
  );
  await setLanguage("en");
});
