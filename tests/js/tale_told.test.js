import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { flag, held, label, said } from "../../hub/games/tricube/pages/gm/holds.js";
import { knows, loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";
import { overrulesOf } from "./overrules.js";

await loadTexts();

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
  test(`every overrule of a tale has words, in ${language}`, async () => {
    await setLanguage(language);
    const told = OVERRULED.map(held);
    for (const text of told) assert.ok(text?.includes(" ") && !/tricube\.|\{|undefined|null/.test(text), String(text));
    assert.equal(new Set(told).size, told.length, told.filter((each, at) => told.indexOf(each) !== at).join());
    await setLanguage("en");
  });

test("each field of an overrule has words", async () => {
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
