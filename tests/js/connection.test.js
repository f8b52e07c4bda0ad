import "./browser.js";

import assert from "node:assert/strict";
import { test } from "node:test";

// A page finds the hub by the address of its scripts; here they come from a folder.
const sockets = [];
globalThis.WebSocket = class {
  static OPEN = 1;
  constructor() {
    sockets.push(this);
  }
};
location.protocol = "http:";
const { Connection } = await import("../../hub/web/static/js/core/connection.js");

test("after connections that only open the page waits longer each time", () => {
  const told = [];
  const failures = [];
  const live = new Connection(
    "ws",
    () => {},
    (...status) => told.push(status),
  );
  for (const frame of [false, false, true]) {
    sockets.at(-1).onopen();
    if (frame) sockets.at(-1).onmessage({ data: "{}" });
    failures.push(live.failures);
    sockets.at(-1).onclose({ code: 1009 });
    live.open();
  }
  clearTimeout(live.retry);
  assert.deepEqual(failures, [0, 1, 0]);
  assert.deepEqual(told.slice(0, 2), [["open"], ["lost", 1009]]);
});

test("a page that was frozen drops old frames and asks for the current state", () => {
  const told = [];
  const frames = [];
  const heard = {};
  document.addEventListener = (name, hear) => (heard[name] = hear);
  const live = new Connection(
    "ws",
    (frame) => frames.push(frame.seq),
    (...status) => told.push(status),
  );
  const old = sockets.at(-1);
  let closed = false;
  old.close = () => (closed = true);
  old.onopen();
  old.onmessage({ data: '{"seq":1}' });
  heard.resume();
  const fresh = sockets.at(-1);
  old.onmessage({ data: '{"seq":2}' });
  old.onclose({ code: 1000 });
  fresh.onopen();
  fresh.onmessage({ data: '{"seq":3}' });
  assert.notEqual(fresh, old);
  assert.equal(closed, true);
  assert.equal(live.socket, fresh);
  assert.deepEqual(frames, [1, 3]);
  assert.deepEqual(told, [["open"], ["opening"], ["open"]]);
});
