import "./browser.js";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Commander, outcomeWords } from "../../hub/web/static/js/core/commands.js";
import { loadTexts } from "../../hub/web/static/js/core/texts.js";

await loadTexts();

const VERSION = { scene: 1, phase: 2, revision: 3 };
const REST_MS = 400;
let line;
let changes;
let commander;

const made = () => new Commander(line, { onChange: () => (changes += 1) });
const ids = () => line.sent.map(({ command }) => command.id);
const answer = (more) => commander.onReply({ id: ids().at(-1), ok: true, code: "done", reason: "", ...more });

beforeEach(() => {
  sessionStorage.clear();
  line = { sent: [], send: (message) => Boolean(line.sent.push(message)) };
  changes = 0;
  commander = made();
  commander.onState({ version: VERSION });
  commander.onStatus("open");
});

test("a press has a random id, and the version that was drawn", () => {
  commander.press({ command: "decide", actor: "ada", choice: "active bo" }, "one");
  commander.press({ command: "pause" }, "two");
  assert.deepEqual(
    line.sent.map((message) => message.do),
    ["command", "command"],
  );
  const [{ id: first, ...one }, { id: second, ...two }] = line.sent.map(({ command }) => command);
  assert.notEqual(first, second);
  assert.deepEqual(one, { command: "decide", actor: "ada", choice: "active bo", version: VERSION });
  assert.deepEqual(two, { command: "pause", version: VERSION });
});

test("ids are 128 random bits", () => {
  for (let at = 0; at < 200; at += 1) commander.press({ command: "undo" }, `place ${at}`);
  assert.equal(new Set(ids()).size, 200);
  for (const id of ids()) assert.match(id, /^[\w-]{22}$/);
});

test("a question that the newest state has answered cannot be pressed, even while it is still drawn", () => {
  const pending = () =>
    ["decide gm nod yes", "do decide gm turn", "commit ada", "let-be", "undo", "undo deed", "pause", "overrule"].filter(
      (place) => commander.pending(place),
    );
  commander.onState({ version: VERSION, seq: 7 });
  commander.onNews({ version: VERSION, seq: 7 });
  assert.deepEqual(pending(), []);
  commander.onNews({ version: VERSION, seq: 8 });
  assert.deepEqual(pending(), ["undo", "undo deed"]);
  commander.onNews({ version: { ...VERSION, phase: 3 }, seq: 9 });
  assert.deepEqual(pending(), ["decide gm nod yes", "do decide gm turn", "commit ada", "let-be", "undo", "undo deed"]);
  commander.press({ command: "decide", actor: "gm", choice: "nod yes" }, "decide gm nod yes");
  assert.deepEqual(line.sent, []);
  commander.onState({ version: { ...VERSION, phase: 3 }, seq: 9 });
  assert.deepEqual(pending(), []);
});

const preview = (id) => ({ type: "preview", id, changes: [], reason: "" });

test("each of several previews gets its own answer, however late it is read", () => {
  const [one, two] = [commander.preview({ command: "pause" }), commander.preview({ command: "undo" })];
  assert.equal(commander.answerTo(one), null);
  commander.onPreview(preview(one));
  commander.onPreview(preview(two));
  commander.onPreview(preview("of-nobody"));
  assert.deepEqual(
    [one, two, "of-nobody"].map((id) => commander.answerTo(id)?.id),
    [one, two, undefined],
  );
});

test("a preview lost with its connection is requested again, an answered one is not", () => {
  const [told, lost] = [commander.preview({ command: "pause" }), commander.preview({ command: "undo" })];
  commander.onPreview(preview(told));
  commander.onStatus("closed");
  assert.deepEqual(
    [told, lost, commander.preview({ command: "undo" })].map((id) => commander.hasAsked(id)),
    [true, false, false],
  );
});

test("the answer in use stays, however many others are requested", () => {
  const asked = commander.preview({ command: "pause" });
  commander.onPreview(preview(asked));
  for (let at = 0; at < 50; at += 1) {
    commander.onPreview(preview(commander.preview({ command: "undo" })));
    assert.equal(commander.answerTo(asked)?.id, asked);
  }
  assert.ok(commander.previews.size < 10);
});

test("a place that waits, or was just pressed, is not pressed again", async () => {
  const counts = [];
  const rested = () => new Promise((done) => setTimeout(done, REST_MS + 50));
  const press = () => {
    commander.press({ command: "undo" }, "undo");
    counts.push(line.sent.length);
  };
  press();
  press();
  await rested();
  press();
  answer();
  press();
  answer();
  press();
  await rested();
  assert.equal(commander.pending("undo"), false);
  press();
  // The third press finds the first unanswered. The fourth is sent, because a while has passed
  // since the first.
  assert.deepEqual(counts, [1, 1, 1, 2, 2, 3]);
  assert.ok(changes > 3);
});

for (const reloaded of [false, true]) {
  test(`an unanswered command is sent again with its id${reloaded ? ", after a reload too" : ""}`, () => {
    commander.press({ command: "undo" }, "undo");
    commander.press({ command: "pause" }, "pause");
    answer();
    commander.onStatus("lost");
    const later = reloaded ? made() : commander;
    later.onState({ version: { scene: 9, phase: 9, revision: 9 } });
    assert.equal(later.pending("undo"), true);
    later.onStatus("open");
    const again = line.sent.at(-1).command;
    assert.equal(line.sent.length, 3);
    assert.equal(again.id, ids()[0]);
    assert.deepEqual(again.version, VERSION);
    later.onReply({ id: again.id, ok: true, code: "done" });
    const { place, ok, code, reason } = later.outcome;
    assert.deepEqual({ place, ok, code, reason }, { place: "undo", ok: true, code: "done", reason: "" });
    assert.equal(sessionStorage.size, 0);
  });
}

test("without a connection nothing is kept", () => {
  commander.onStatus("lost");
  assert.equal(commander.press({ command: "undo" }, "undo"), false);
  assert.equal(outcomeWords(commander.outcome), "Not done: there is no connection. Press again when it is back.");
  commander.onStatus("open");
  assert.deepEqual(line.sent, []);
  assert.equal(sessionStorage.size, 0);
});

test("a command too long for the hub is not sent; its length counts in bytes, two for each of these letters", () => {
  const add = (count, place) => commander.press({ command: "add-character", toml: "ж".repeat(count) }, place);
  assert.equal(add(4200, "add 0"), false);
  assert.equal(add(3900, "add 1"), true);
  assert.equal(commander.unanswered.has("add 0"), false);
  add(4200, "add 2");
  assert.equal(line.sent.length, 1);
  assert.equal(outcomeWords(commander.outcome), "Not done: this is too long for one message. Shorten it.");
});

test("a command that ended the connection is not sent again", () => {
  commander.press({ command: "undo" }, "undo");
  commander.press({ command: "pause" }, "pause");
  commander.onStatus("lost", 1009);
  assert.deepEqual(commander.outcome, { place: "undo", ok: false, code: "long", reason: "" });
  commander.onStatus("open");
  assert.equal(line.sent.length, 2);
  assert.equal(commander.unanswered.size, 0);
  assert.equal(sessionStorage.size, 0);
});

test("each outcome has words", () => {
  const said = Object.fromEntries(
    ["done", "stale", "illegal", "malformed", "busy", "failed", "new"].map((code) => {
      commander.press({ command: "undo" }, code);
      answer({ ok: code === "done", code, reason: "because" });
      return [code, outcomeWords(commander.outcome)];
    }),
  );
  assert.equal(said.done, "Done.");
  assert.equal(said.illegal, "Not done: because");
  assert.equal(said.new, said.failed);
  assert.ok(said.failed.endsWith("because"));
  assert.equal(outcomeWords(null), "");
  assert.equal(new Set(Object.values(said)).size, 6);
});

test("an answer without an id belongs to the oldest command", () => {
  commander.press({ command: "undo" }, "one");
  commander.press({ command: "pause" }, "two");
  assert.equal(commander.onReply({ id: "1", ok: true }), false);
  commander.onReply({ id: "", ok: false, code: "malformed", reason: "no" });
  assert.equal(commander.outcome.place, "one");
  assert.deepEqual([...commander.unanswered.keys()], ["two"]);
});
