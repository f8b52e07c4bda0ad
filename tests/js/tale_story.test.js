import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetOf } from "../../hub/games/tricube/pages/build.js";
import { asked, begin, preparedIn, usual, whyNot } from "../../hub/games/tricube/pages/gm/begin.js";
import { sheetsPanel } from "../../hub/games/tricube/pages/gm/sheets.js";
import { curable, own } from "../../hub/games/tricube/pages/own.js";
import { loadTexts } from "../../hub/web/static/js/core/texts.js";

globalThis.dispatchEvent ??= () => true; // portraits dispatch an event when they load later

await loadTexts();

const SHEET = {
  description: "",
  trait: "agile",
  concept: "thief",
  style: "melee",
  perks: ["healer", "brave"],
  quirks: [],
  karma: 2,
  karma_max: 3,
  resolve: 3,
  resolve_max: 3,
  afflictions: [],
  dead: false,
};
const ARM = { name: "broken arm", lasts: "longer" };
const AGE = { name: "old age", lasts: "permanent" };
/** Everything drawn, as a flat list. */
const all = (drawn) =>
  [drawn]
    .flat(Infinity)
    .filter((each) => each && typeof each === "object")
    .flatMap((each) => [each, ...all(each.children)]);
const words = (drawn) =>
  [drawn]
    .flat(Infinity)
    .filter((each) => each && each !== true)
    .map((each) => (typeof each === "object" ? words(each.children) : String(each)))
    .join(" ");
const presses = (drawn) =>
  all(drawn)
    .map(({ attributes }) => Object.fromEntries(attributes))
    .filter((each) => each["data-press"]);
const ui = ({ open = [], forms = {}, deeds = [] } = {}) => ({
  forms,
  deeds,
  folds: new Set(open),
  pending: () => false,
  console: { npcs: {} },
});
const state = (party) => ({ phase: "idle", story: { party } });

test("curable afflictions are one's own first, then those of the living", () => {
  const party = {
    bo: { ...SHEET, afflictions: [ARM] },
    ada: { ...SHEET, afflictions: [AGE] },
    crow: { ...SHEET, dead: true, afflictions: [ARM] },
  };
  assert.deepEqual(curable("ada", party), [
    ["ada", AGE],
    ["bo", ARM],
  ]);
});

test("a player who asks for a friend's cure sees its cost first", () => {
  const party = { ada: SHEET, bo: { ...SHEET, afflictions: [ARM, AGE] } };
  const draw = (mine, forms = {}) =>
    own(state({ ...party, ada: mine }), ui({ open: ["wish-ada-cure"], forms }), {
      name: "ada",
      sheet: mine,
      wish: null,
      declined: null,
    });
  assert.equal(presses(draw(SHEET))[0]["data-why"], "First choose a perk.");
  const [press] = presses(draw(SHEET, { "wish-ada-cure": { perks: ["healer"] } }));
  assert.deepEqual(JSON.parse(press["data-press"]), {
    command: "wish",
    name: "ada",
    wants: { do: "cure", name: "ada", who: "bo", affliction: "broken arm", perks: ["healer"] },
  });
  assert.ok(words(draw(SHEET)).includes("It costs you a karma."));
  const permanent = { "wish-ada-cure": { whose: JSON.stringify(["bo", "old age"]), perks: ["healer"] } };
  assert.ok(words(draw(SHEET, permanent)).includes("your maximum falls by one"));
  const poor = { ...SHEET, karma: 0 };
  assert.equal(
    presses(draw(poor, { "wish-ada-cure": { perks: ["healer"] } }))[0]["data-why"],
    "First write the complication.",
  );
  assert.equal(
    presses(draw(poor, permanent))[0]["data-why"],
    "It is permanent, and you have no karma to give for good.",
  );
  const told = presses(draw(poor, { "wish-ada-cure": { complication: " it hurts ", perks: ["healer"] } }))[0];
  assert.equal(told["data-why"], undefined);
  assert.equal(JSON.parse(told["data-press"]).wants.complication, "it hurts");
});

test("a player asks for changes on the sheet, and only for new words", () => {
  const forms = { "wish-ada-words": { concept: "mayor", quirks: "vain\n\nvain\n rich " } };
  const [press] = presses(
    own(state({ ada: SHEET }), ui({ open: ["wish-ada-words"], forms }), {
      name: "ada",
      sheet: SHEET,
      wish: null,
      declined: null,
    }),
  );
  assert.deepEqual(JSON.parse(press["data-press"]).wants, {
    do: "sheet-is",
    name: "ada",
    concept: "mayor",
    quirks: ["vain", "rich"],
  });
  const [none] = presses(
    own(state({ ada: SHEET }), ui({ open: ["wish-ada-words"] }), {
      name: "ada",
      sheet: SHEET,
      wish: null,
      declined: null,
    }),
  );
  assert.equal(none["data-why"], "Nothing has changed yet.");
  assert.equal(own({ phase: "sealed" }, ui(), { name: "ada", sheet: SHEET }), null);
});

test("the console shows every sheet with its deeds, and who is waiting", () => {
  const deeds = [
    { deed: { do: "session" }, reason: "" },
    {
      deed: { do: "recover", name: "bo", affliction: "broken arm" },
      reason: "",
      fields: [
        { at: ["affliction"], kind: "one", of: "affliction", options: [{ value: "broken arm" }], first: "broken arm" },
      ],
    },
    { deed: { do: "join", name: "eve" }, reason: "" },
  ];
  const party = {
    ada: { ...SHEET, afflictions: [ARM, AGE, { ...ARM, name: "a" }, { ...ARM, name: "b" }] },
    bo: { ...SHEET, afflictions: [ARM] },
  };
  const drawn = sheetsPanel(state(party), ui({ deeds, open: ["sheet-bo", "recover-bo"] }));
  const said = words(drawn);
  for (const each of [
    "A new session",
    "retired until an affliction is cured",
    "broken arm",
    "Time has healed",
    "Waiting in reserve",
    "Eve",
  ])
    assert.ok(said.includes(each), each);
  assert.deepEqual(
    presses(drawn).map((each) => JSON.parse(each["data-press"]).deed),
    [{ do: "session" }, { do: "recover", name: "bo", affliction: "broken arm" }, { do: "join", name: "eve" }],
  );
  assert.equal(sheetsPanel({ phase: "idle", story: null }, ui()), null);
});

test("a character written on the console has the keys of a character file", () => {
  assert.deepEqual(sheetOf({ name: " Dee ", concept: "sage", trait: "crafty", perks: "reads\n\nreads" }), {
    name: "Dee",
    trait: "crafty",
    concept: "sage",
    style: "mental",
    perks: ["reads"],
    quirks: [],
  });
  assert.equal(sheetOf({ trait: "brawny", style: "ranged" }).style, "ranged");
});

test("a scene begins with all who are not retired and everything prepared", () => {
  const wounds = ["a", "b", "c", "d"].map((name) => ({ name, lasts: "longer" }));
  const party = { ada: SHEET, bo: { ...SHEET, afflictions: wounds }, crow: { ...SHEET, dead: true } };
  assert.deepEqual(usual({ ada: SHEET, bo: party.bo }), ["ada"]);
  assert.deepEqual(usual({ bo: party.bo }), ["bo"]);
  const forms = {
    tale: {
      title: " The weir ",
      prepared: [1, 3],
      "name-1": " goblins ",
      "effort-1": 4,
      "deadly-1": "true",
      "name-3": "wall",
      "difficulty-3": "6",
      dice: "hand",
    },
  };
  const drawn = begin(state(party), ui({ forms }), "configured");
  const [press] = presses(drawn);
  assert.deepEqual(JSON.parse(press["data-press"]), {
    command: "start-scene",
    scene: {
      type: "scene",
      title: "The weir",
      characters: ["ada"],
      dice: "hand",
      challenges: {
        goblins: { difficulty: 5, effort: 4, deadly: true },
        wall: { difficulty: 6, effort: 0, deadly: false },
      },
    },
  });
  assert.equal(press["data-why"], undefined);
  assert.ok(words(drawn).includes("retired until"), "who is retired can be chosen, and it says so");
  assert.ok(!words(drawn).includes("Crow"));
  assert.equal(begin(state({ crow: party.crow }), ui(), "configured"), "configured");
});

test("a scene that cannot begin says why", () => {
  const [one, other] = preparedIn({ prepared: [1, 2], "name-1": "wall", "name-2": " wall" });
  assert.equal(whyNot(["ada"], []), "");
  assert.equal(whyNot([], [one]), "Choose who takes part.");
  assert.equal(whyNot(["ada"], [one, { ...other, name: "" }]), "Each challenge needs a name.");
  assert.equal(whyNot(["ada"], [one, other]), "Each challenge needs its own name.");
  assert.deepEqual(asked("", ["ada"], [], "table"), {
    type: "scene",
    title: "",
    characters: ["ada"],
    challenges: {},
    dice: "table",
  });
});

test("the living can die, and the dead can come back to life", () => {
  const offered = (deed) =>
    words(sheetsPanel(state({ ada: SHEET }), ui({ deeds: [{ deed, reason: "" }], open: ["sheet-ada"] })));
  assert.ok(offered({ do: "is-dead", name: "ada" }).includes("Dies"));
  assert.ok(offered({ do: "is-dead", name: "ada", dead: false }).includes("Lives after all"));
});
