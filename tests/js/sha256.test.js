import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { sealDigest } from "../../hub/web/static/js/core/digest.js";
import { sha256 } from "../../hub/web/static/js/core/sha256.js";

test("SHA-256 of every length around its blocks", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256);
    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"), `${length} bytes`);
  }
});

test("a seal's digest frames each field by its length", () => {
  const where = { log: "ab", table: "t" };
  const line = { type: "committed", scene: 1, turn: 2, phase: 3, actor: "Żaneta", origin: "tag" };
  const opening = { nonce: "00ff", choice: "move attack-high" };
  const fields = ["ab", "t", "1", "2", "3", "Żaneta", "commit", "tag"].map((each) => Buffer.from(each));
  fields.push(Buffer.from([0, 255]), Buffer.from("move attack-high"));
  const framed = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  const want = createHash("sha256").update("facedown/seal/2").update(Buffer.concat(framed)).digest("hex");
  assert.equal(sealDigest(where, line, opening), want);
  assert.notEqual(sealDigest(where, { ...line, type: "set-beside" }, opening), want);
});

test("the digest of chance equals the hub's, and belongs to no actor", () => {
  const where = { log: "ab".repeat(16), table: "dojo" };
  const line = { type: "chance-sealed", scene: 2, turn: 1, phase: 7 };
  const digest = sealDigest(where, line, { nonce: "cd".repeat(32), choice: "chance" });
  assert.equal(digest, "939067adae4a3e82489a8715cc04dd78105f96c9d0658518e4dfa5812434e818");
});
