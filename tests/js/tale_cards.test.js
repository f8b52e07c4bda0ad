import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { card } from "../../hub/games/tricube/pages/pictured.js";
import { knows, loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";

await loadTexts();

const SIGNS = [
  "approach plain",
  "approach quirk Greedy",
  "karma none",
  "karma Marksman",
  "regain karma",
  "regain resolve",
  "accept yes",
  "accept no",
  "take-back",
  ...[1, 2, 3, 4, 5, 6].map((face) => `die ${face}`),
];
/** @param {string} choice */
const shown = (choice) => {
  const [kind = "", ...words] = choice.split(" ");
  const found = card(kind, words.join(" "));
  return { ...found, picture: found?.front?.()[0].children[0] };
};

test("every card of a tale has a sign and a name in a hand", async () => {
  for (const language of ["en", "de"]) {
    await setLanguage(language);
    for (const choice of SIGNS) {
      const { name, picture } = shown(choice);
      assert.equal(picture?.tag, "svg", choice);
      assert.ok(name && !knows(name) && !name.startsWith("tricube."), choice);
    }
    assert.deepEqual(shown("difficulty 6").picture.children, ["6"]);
  }
  assert.equal(card("move", "attack-high"), null);
});

test("different cards have different signs", () => {
  /** @param {string} choice */
  const strokes = (choice) =>
    JSON.stringify(shown(choice).picture.children.map((/** @type {any} */ each) => each.attributes.get("d")));
  const different = SIGNS.filter((choice) => choice !== "karma Marksman");
  assert.equal(new Set(different.map(strokes)).size, different.length);
  assert.equal(strokes("karma Marksman"), strokes("regain karma"));
});
