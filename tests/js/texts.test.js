import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";

import * as texts from "../../hub/web/static/js/core/texts.js";

await texts.loadTexts();

test("names are readable words", () => {
  assert.equal(texts.pretty("ada"), "Ada");
  assert.equal(texts.pretty("elbow-clan"), "Elbow clan");
  assert.equal(texts.pretty("gm"), "the GM");
  assert.equal(texts.list(["ada", "bo", "gm"]), "Ada, Bo and the GM");
  assert.equal(texts.seatName("gm"), "The GM");
});

test("a sentence ends with one mark", () => {
  assert.equal(texts.stopped("Done"), "Done.");
  assert.equal(texts.stopped("Who?"), "Who?");
  assert.equal(texts.stopped(""), "");
});

test("a count takes the language's plural and its digits", async () => {
  const one = texts.t("ready.some", { ready: "Ada", waiting: "Bo", count: 1 });
  assert.notEqual(one, texts.t("ready.some", { ready: "Ada", waiting: "Bo", count: 2 }));
  await texts.setLanguage("de");
  assert.equal(texts.language(), "de");
  assert.equal(texts.t("gm.level", {}).includes("{"), false);
  await texts.setLanguage("xx");
  assert.equal(texts.language(), "de");
  await texts.setLanguage("en");
});

test("a missing text shows its key", () => {
  assert.equal(texts.t("no.such.text"), "no.such.text");
  assert.equal(texts.knows("constructor"), false);
});

test("a right-to-left name is isolated from the text around it", () => {
  const said = texts.t("gm.hub.take.who", { names: "שרה" });
  assert.match(said, /\u2068שרה\u2069/);
  assert.doesNotMatch(texts.t("gm.hub.take.who", { names: "Ирина" }), /[\u2066-\u2069]/);
});
