import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { letting, partsOfAnswer } from "../../hub/games/tourists/pages/answering.js";
import { asks } from "../../hub/games/tourists/pages/asks.js";
import { aside, offerName, question } from "../../hub/games/tourists/pages/decisions.js";
import { felt } from "../../hub/games/tourists/pages/felt.js";
import {
  asked,
  controlOf,
  reframed,
  totalOf,
  typicalOf,
  usual,
  whyNot,
} from "../../hub/games/tourists/pages/gm/begin.js";
import { held } from "../../hub/games/tourists/pages/gm/holds.js";
import { sheetOf } from "../../hub/games/tourists/pages/gm/newcomer.js";
import { cardLies, numeral } from "../../hub/games/tourists/pages/named.js";
import { card as card_ } from "../../hub/games/tourists/pages/pictured.js";
import { aloud } from "../../hub/games/tourists/pages/say.js";
import { dangers } from "../../hub/games/tourists/pages/seat.js";
import { loadTexts, setLanguage } from "../../hub/web/static/js/core/texts.js";
import { overrulesOf } from "./overrules.js";

await loadTexts();

const card = (number, reversed = false, suit = "paper", rank = null) => ({ number, reversed, suit, rank });
const laid = (card, who) => ({ card, who, turned: false, reserve: false });
const party = (more) => ({
  goal: "",
  gm: false,
  characters: [],
  total: 5,
  laid: [],
  reversed: 0,
  temporary: [],
  lasting: [],
  out: null,
  passed: false,
  tactics: null,
  ...more,
});
const member = (of, more) => ({
  party: of,
  attribute: null,
  aspects: [],
  weaknesses: [],
  reserve: [],
  reserve_max: 0,
  conceded: false,
  draws: 0,
  ...more,
});
const round = (more) => ({
  number: 2,
  kind: "unbalanced",
  dominant: "kaiju",
  order: ["crew", "kaiju"],
  speaking: "crew",
  had: 2,
  spent: 1,
  answered: [],
  let_all: [],
  cover: null,
  covers: null,
  rejected: null,
  discarded: [],
  would: null,
  outcome: null,
  by: [],
  winners: [],
  losers: [],
  narrate: [],
  narrator: null,
  told: {},
  suffered: {},
  ...more,
});
const table = ({ game = {}, ...more }) => ({
  phase: "open",
  step: "bid",
  scene: 1,
  version: { scene: 1, phase: 7 },
  awaited: [],
  committed: [],
  one_of: [],
  seats: [],
  gm_plays: [],
  game: {
    ruleset: "tourists",
    draws: "table",
    foregone: false,
    typical_reserve: {},
    wish: null,
    result: null,
    control: { party: "kaiju", ranks: 2 },
    round: round({}),
    parties: {
      crew: party({ characters: ["ada", "bo"] }),
      kaiju: party({ characters: ["kaiju"] }),
      news: party({ characters: ["news"] }),
    },
    members: { ada: member("crew"), bo: member("crew"), kaiju: member("kaiju"), news: member("news") },
    ...game,
  },
  ...more,
});
const offer = (choice) => ({
  choice,
  kind: choice.split(" ")[0],
  value: choice.split(" ").slice(1).join(" "),
  reason: "",
  why: null,
  default: false,
  bounds: null,
});

test("Triumphs have numerals, and a card says which way up it is", () => {
  assert.deepEqual([0, 4, 9, 14, 16, 21].map(numeral), ["0", "IV", "IX", "XIV", "XVI", "XXI"]);
  assert.equal(cardLies(card(21, true, "triumph", 16)), "21 (Triumph XVI) upside down");
  assert.equal(cardLies(card(39)), "39 (Paper) upright");
  assert.equal(cardLies(card(4, false, "own-suit")), "4 (Own suit) upright");
});

test("a card can always be asked for, next to a pass", () => {
  const state = table({ awaited: ["ada", "bo"], one_of: [["ada", "bo"]] });
  const pass = (actor) => ({ actor, step: "bid", offers: [offer("pass")], free: ["pass"] });
  const found = asks(state, {}, [pass("ada"), pass("bo")]);
  for (const name of ["ada", "bo"]) {
    const asked = found.find(({ actor }) => actor === name);
    assert.deepEqual(
      asked.offers.filter(({ kind }) => kind === "bid").map(({ choice }) => choice),
      ["drawn", "pass"],
    );
    assert.ok(!asked.free.includes("bid"));
  }
  // A party that is not asked can still request a Reframing; the GM can set the order.
  assert.deepEqual(
    found.find(({ actor }) => actor === "news").offers.map(({ kind }) => kind),
    ["reframe"],
  );
  assert.deepEqual(
    found.find(({ actor }) => actor === "gm").offers.map(({ kind }) => kind),
    ["order"],
  );
  const chosen = asks({ ...state, committed: ["ada"] }, {}, []);
  assert.ok(!chosen.some(({ offers }) => offers.some(({ choice }) => choice === "drawn")), "one of them is enough");
  const hub = asks(table({ awaited: ["ada"], game: { draws: "hub" } }), {}, [
    { actor: "ada", step: "bid", offers: [offer("draw"), offer("pass")], free: ["pass"] },
  ]);
  assert.deepEqual(
    hub
      .find(({ actor }) => actor === "ada")
      .offers.filter(({ kind }) => kind === "bid")
      .map(({ choice }) => choice),
    ["draw", "pass"],
  );
});

test("members who have conceded or are wiped out are asked nothing", () => {
  const gone = table({
    game: {
      members: {
        ada: member("crew", { conceded: true }),
        bo: member("crew"),
        kaiju: member("kaiju"),
        news: member("news"),
      },
    },
  });
  gone.game.parties.news.out = "wiped-out";
  const names = asks(gone, {}, []).map(({ actor }) => actor);
  assert.deepEqual(names, ["bo", "kaiju"]);
});

test("all answers to a card stand together; after letting it be, a player finds them apart", () => {
  const offers = ["let-be", "let-be-all", "turn", "reject", "cover 33 upright"].map(offer);
  const asked = { actor: "news", step: "answers", offers, free: ["turn", "reject", "cover"] };
  const state = table({ step: "answers", awaited: ["news"] });
  const [first] = asks(state, {}, [asked]).filter(({ actor }) => actor === "news");
  assert.deepEqual(
    first.offers.filter(({ kind }) => kind === "answers").map(({ choice }) => choice),
    offers.map(({ choice }) => choice),
  );
  assert.ok(!first.free.includes("answers"));
  const [after] = asks({ ...state, awaited: [] }, {}, [{ ...asked, offers: offers.slice(2) }]).filter(
    ({ actor }) => actor === "news",
  );
  assert.deepEqual(after.free, ["again", "reframe"]);
});

test("an answer names its card, and whose card it answers", () => {
  const state = table({ game: { round: round({ answered: ["the big crew"] }) } });
  assert.deepEqual(partsOfAnswer(state, offer("cover 33 upright")), {
    kind: "cover",
    card: "33 upright",
    on: "the big crew",
  });
  assert.deepEqual(partsOfAnswer(state, offer("cover 33 reversed News Crew")), {
    kind: "cover",
    card: "33 reversed",
    on: "News Crew",
  });
  assert.deepEqual(partsOfAnswer(state, offer("turn News Crew")), { kind: "turn", card: "", on: "News Crew" });
});

test("a card in a hand shows its sign, or its number the way up it is placed", () => {
  const shown = (kind, value) =>
    card_(kind, value)
      .front()
      .flatMap(({ children }) => children)[0];
  for (const kind of ["draw", "pass", "turn", "reject", "let-be", "let-be-all", "ask-again", "concede"])
    assert.equal(shown(kind, "").tag, "svg");
  assert.deepEqual(
    [shown("drawn", "58 reversed").children, shown("drawn", "58 reversed").attributes.get("class")],
    [["58"], "number reversed"],
  );
  assert.equal(card_("move", "attack-high"), null);
});

test("a player who lets everything be learns who is still asked", async () => {
  const state = table({ step: "answers", awaited: ["ada", "bo", "news"], one_of: [["ada", "bo"]] });
  assert.match(letting(state, "ada", "let-be-all"), /Bo will still be asked about later cards\.$/);
  assert.doesNotMatch(letting(state, "ada", "let-be"), /still be asked/);
  assert.doesNotMatch(letting(state, "news", "let-be-all"), /still be asked/);
});

test("a request for a Reframing becomes the GM's question", () => {
  const asked = { actor: "gm", step: "bid", offers: [offer("reframe yes"), offer("reframe no")], free: ["reframe"] };
  const state = table({ game: { wish: { who: "ada", text: "we run" } } });
  const gm = asks(state, {}, [asked]).find(({ actor }) => actor === "gm");
  assert.deepEqual(gm.offers.filter(({ kind }) => kind === "wish").length, 2);
  assert.ok(!gm.free.includes("wish"));
  assert.equal(
    question(state, { actor: "gm", step: "bid", kind: "wish", offers: [], free: false, held: null }),
    "Ada asks for a Reframing: “we run”",
  );
});

test("a question says whose card is on the table, what it would lead to, and that one answer is enough", () => {
  const state = table({
    step: "answers",
    awaited: ["ada", "bo"],
    one_of: [["ada", "bo"]],
    game: { round: round({ answered: ["kaiju"], would: { outcome: "held", by: [], winners: ["kaiju"] } }) },
  });
  state.game.parties.kaiju.laid = [laid(card(39, true), "kaiju")];
  const asking = { actor: "ada", step: "answers", kind: "answers", offers: [], free: false, held: null };
  assert.equal(question(state, asking), "Ada: Kaiju has laid 39 (Paper) upside down. What does Ada do?");
  assert.deepEqual(aside(state, asking), [
    "As the cards lie, Kaiju holds the Control.",
    "Control Tokens of Kaiju: 1.",
    "One is enough: Ada or Bo.",
  ]);
  const both = {
    ...state,
    game: { ...state.game, round: round({ would: { outcome: "broken", by: ["crew", "news"], winners: [] } }) },
  };
  assert.deepEqual(aside(both, { ...asking, step: "bid", kind: "bid" }).slice(0, 1), [
    "As the cards lie, Crew and News break the Control of Kaiju.",
  ]);
  assert.equal(offerName(offer("because aspect Knows every street")), "Aspect: Knows every street");
  assert.equal(offerName(offer("because no")), "Take the card back");
  assert.equal(offerName(offer("loss 48")), "card 48");
});

test("a member is told who has chosen for the party, and that the fifth card wipes it out", () => {
  const state = table({ step: "draw", committed: ["ada"], awaited: ["ada", "kaiju"] });
  state.game.parties.crew.reversed = 4;
  assert.deepEqual(
    dangers(state, "bo").map(([, text]) => text),
    ["Ada has done it for Crew.", "Four cards of Crew lie upside down. The fifth wipes you out."],
  );
  assert.deepEqual(dangers(state, "kaiju"), []);
});

test("a card that is laid and the outcome of a round are read aloud once", () => {
  const before = table({});
  const lying = party({ characters: ["ada", "bo"], laid: [laid(card(39), "ada")] });
  const parties = { ...before.game.parties, crew: lying };
  const after = table({ step: "losses", game: { parties, round: round({ outcome: "broken", by: ["crew"] }) } });
  assert.deepEqual(aloud(before, after), [
    "Crew lays 39 (Paper) upright.",
    "Crew breaks the Control.",
    "Kaiju has the Control, 2 ranks.",
  ]);
  assert.deepEqual(aloud(after, { ...after, step: "tell" }), []);
});

test("winners and losers feel the end of a round", () => {
  const before = table({});
  const after = table({
    game: {
      round: round({
        narrate: ["crew", "kaiju"],
        winners: ["crew"],
        losers: ["kaiju"],
        suffered: { kaiju: { who: "kaiju", cards: [], gravity: 5, text: "" } },
      }),
    },
  });
  assert.equal(felt(before, after, "bo").kind, "won");
  assert.deepEqual(felt(before, after, "kaiju"), {
    kind: "lost",
    title: "Round lost",
    text: "You suffer a Lasting Loss. It is for good.",
  });
  assert.equal(felt(after, after, "bo"), null);
});

const OVERRULED = [
  { what: "control", party: "crew", ranks: 2 },
  { what: "control" },
  { what: "card", number: 39, to: "deck" },
  { what: "card", number: 39, to: "before", name: "crew", reversed: true },
  { what: "card", number: 39, to: "reserve", name: "ada" },
  { what: "card", number: 39, to: "loss", name: "crew" },
  { what: "turned", name: "crew", number: 39, reversed: true },
  { what: "lasting", name: "crew", cards: [1, 2, 3], text: "limps" },
  { what: "loss", name: "crew", loss: 1, who: "ada", text: "limps", face_down: [48] },
  { what: "no-loss", name: "crew", number: 48 },
  { what: "tokens", left: 2 },
  { what: "out", name: "crew", out: true },
  { what: "out", name: "crew", out: true, wiped_out: true },
  { what: "out", name: "crew", out: false },
  { what: "outcome", outcome: "broken", by: ["crew"] },
  { what: "outcome", outcome: "held" },
  { what: "against", name: "ada", times: 2 },
];
for (const language of ["en", "de"])
  test(`every overrule has words, in ${language}`, async () => {
    await setLanguage(language);
    const told = OVERRULED.map(held);
    for (const text of told) assert.ok(text?.includes(" ") && !/tourists\.|\{|undefined/.test(text), String(text));
    assert.equal(new Set(told).size, told.length);
    await setLanguage("en");
  });

test("the samples hold every overrule", async () => {
  const whats = (await overrulesOf("tourists")).map(({ what }) => what);
  assert.deepEqual(whats.sort(), [...new Set(OVERRULED.map(({ what }) => what))].sort());
});

const SHEETS = {
  ada: {
    attributes: { paper: 5, stone: 3 },
    aspects: ["Fast", "Known"],
    weaknesses: ["Tired"],
    reserve: [],
    reserve_max: 2,
    npc: false,
  },
  bo: { attributes: {}, aspects: ["Agile"], weaknesses: [], reserve: [], reserve_max: 0, npc: false },
  kaiju: {
    attributes: { "Destroy Everything": 8 },
    aspects: [],
    weaknesses: [],
    reserve: [],
    reserve_max: 0,
    npc: true,
  },
};

test("a Conflict is set up from the sheets: totals, Control, the usual Reserve", () => {
  const parties = usual(SHEETS);
  assert.deepEqual(
    parties.map(({ name }) => name),
    ["The group", "kaiju"],
  );
  assert.deepEqual(
    parties.map((party) => totalOf(SHEETS, party)),
    [5, 8],
  );
  assert.deepEqual(controlOf(SHEETS, parties), { party: "kaiju", ranks: 3 });
  const [players, kaiju] = parties;
  const ticked = {
    ...players,
    members: {
      ada: { attribute: "stone", aspects: ["Fast", "Known"], weaknesses: ["Tired"] },
      bo: { attribute: null, aspects: ["Agile"], weaknesses: [] },
    },
  };
  assert.equal(totalOf(SHEETS, ticked), 3 + 3 - 1);
  assert.equal(
    controlOf(SHEETS, [
      { ...ticked, members: { ...ticked.members, ada: { ...ticked.members.ada, attribute: "paper" } } },
      { ...kaiju, members: { kaiju: { attribute: "Destroy Everything", aspects: [], weaknesses: ["a"] } } },
    ]),
    null,
    "two are highest",
  );
  assert.equal(typicalOf(SHEETS, parties), 2);
  assert.deepEqual(asked(SHEETS, [ticked, kaiju], "The bridge", "table"), {
    type: "conflict",
    title: "The bridge",
    draws: "table",
    parties: {
      "The group": { goal: "", gm: false, characters: ticked.members },
      kaiju: { goal: "", gm: true, characters: kaiju.members },
    },
  });
});

test("after a Reframing the next Conflict is prepared from the current state", () => {
  const { game } = table({
    game: {
      result: { winner: null, reason: "reframed", carried: {}, draws: {} },
      parties: {
        crew: party({ goal: "get in", characters: ["ada", "bo"] }),
        kaiju: party({ characters: ["kaiju"] }),
        news: party({ characters: ["news"] }),
      },
      members: {
        ada: member("crew", {
          attribute: { name: "stone", value: 3 },
          aspects: ["Fast", "Healed since"],
          weaknesses: ["Tired"],
          conceded: true,
        }),
        bo: member("crew"),
        kaiju: member("kaiju", { attribute: { name: "Gone", value: 8 } }),
        news: member("news"),
      },
    },
  });
  const parties = reframed({ ended: { game } }, SHEETS);
  assert.deepEqual(
    parties,
    [
      {
        name: "crew",
        goal: "get in",
        members: {
          ada: { attribute: "stone", aspects: ["Fast"], weaknesses: ["Tired"] },
          bo: { attribute: null, aspects: [], weaknesses: [] },
        },
      },
      { name: "kaiju", goal: "", members: { kaiju: { attribute: null, aspects: [], weaknesses: [] } } },
    ],
    "who conceded may be in it again; what no sheet has any more is left out",
  );
  assert.equal(
    reframed({ ended: { game: { ...game, result: { ...game.result, reason: "last-standing" } } } }, SHEETS),
    null,
  );
  assert.equal(reframed({ ended: null }, SHEETS), null);
});

test("a character written on the console has the keys of a character file", () => {
  const said = {
    name: " The Tide ",
    attribute: "Drown",
    value: "7",
    aspects: "Patient\n\n Everywhere \nPatient",
    weaknesses: "",
    reserve: "2",
  };
  assert.deepEqual(sheetOf(said), {
    name: "The Tide",
    attributes: { Drown: 7 },
    aspects: ["Patient", "Everywhere"],
    weaknesses: [],
    reserve_max: 2,
  });
});

test("a Conflict that cannot begin says why", () => {
  const [players, kaiju] = usual(SHEETS);
  assert.equal(whyNot(SHEETS, [players, kaiju]), "");
  assert.equal(whyNot(SHEETS, [players]), "A Conflict needs two parties.");
  assert.equal(whyNot(SHEETS, [players, { ...kaiju, name: " the GROUP " }]), "Each party needs its own name.");
  assert.equal(whyNot(SHEETS, [players, { ...kaiju, members: {} }]), "No one belongs to Kaiju yet.");
  assert.equal(
    whyNot(SHEETS, [kaiju, { ...players, name: "bo", members: { bo: players.members.bo } }]),
    "No one in Bo has an Attribute for this.",
  );
});
