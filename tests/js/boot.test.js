import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";

const sockets = [];
globalThis.requestAnimationFrame = () => 0;
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() {
    sockets.push(this);
  }
};
location.protocol = "http:";
const { follow } = await import("../../hub/web/static/js/core/boot.js");

test("the chronicle and all later frames wait until every family has loaded, even families not in play", async () => {
  const told = [];
  let arrive = () => {};
  const arrived = new Promise((resolve) => (arrive = resolve));
  const games = { far: { gm: () => arrived } };
  await follow({
    path: "ws/gm",
    games,
    faces: ["gm"],
    show: () => {},
    tell: (frame) => told.push(frame.type),
    onStatus: () => {},
  });
  const [socket] = sockets;
  const send = (frame) => socket.onmessage({ data: JSON.stringify(frame) });
  socket.onopen();
  send({ type: "console" });
  send({ type: "chronicle", reset: true, entries: [] });
  send({ type: "deeds", deeds: [], cast: [] });
  assert.deepEqual(told, ["console"]);
  arrive({});
  await new Promise(setImmediate);
  assert.deepEqual(told, ["console", "chronicle", "deeds"]);
  send({ type: "chronicle", reset: false, entries: [] });
  assert.equal(told.length, 4);
});
