import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf } from "../../hub/games/tricube/pages/room.js";

const FACES = [1, 2, 3, 4, 5, 6];
/** Every throw of so many dice. */
const throws = (count) => (count ? throws(count - 1).flatMap((each) => FACES.map((face) => [...each, face])) : [[]]);
const roll = (count, set, more) => ({
  count,
  dice: null,
  difficulty: { set, quirk: 0, karma: 0, final: set },
  ...more,
});

test("the chance of a roll is the share of throws with a die that reaches the difficulty", () => {
  for (const count of [1, 2, 3])
    for (const hard of [3, 4, 5, 6, 7]) {
      const all = throws(count);
      const made = all.filter((dice) => dice.some((die) => die >= hard));
      assert.equal(chanceOf({ what: "challenge" }, roll(count, hard)), Math.round((100 * made.length) / all.length));
    }
});

test("no chance is told of fallen dice, an unknown difficulty, or a roll against another one", () => {
  assert.equal(chanceOf({ what: "challenge" }, roll(2, 5, { dice: [1, 6] })), null);
  assert.equal(chanceOf({ what: "challenge" }, roll(2, null)), null);
  assert.equal(chanceOf({ what: "opposed" }, roll(2, 5)), null);
});
