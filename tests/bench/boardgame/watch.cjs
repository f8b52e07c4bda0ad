/**
 * The watchers of a table, and the player who chooses last.
 *
 * `node watch.cjs peer URL COUNT`: of a boardgame.io server; it chooses for both players.
 * `node watch.cjs facedown URL COUNT KEYED`: of a hub's display, and the page with this address and key.
 *
 * Prints `ready` once all are connected. For each line of standard input the last choice is sent (a
 * hub's is that line), and a line is printed: the ms until the first and the last watcher had the
 * reveal.
 */

const readline = require("node:readline");
const { io } = require("socket.io-client");
const WebSocket = require("ws");

const MATCH = "table";
const PEOPLE_MS = 50;
const [kind, url, counted, keyed] = process.argv.slice(2);
const count = Number(counted);

/** The times of arrival in the present round. */
let arrived = [];
let complete = () => {};

function note() {
  arrived.push(performance.now());
  if (arrived.length === count) complete();
}

/** Send, and wait until every watcher has seen the reveal. */
async function round(send) {
  arrived = [];
  const all = new Promise((done) => {
    complete = done;
  });
  const begun = performance.now();
  send();
  await all;
  console.log(`${arrived[0] - begun} ${arrived[count - 1] - begun}`);
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** One page of a boardgame.io table; `player` is null for a watcher. */
async function join(player, onState) {
  const socket = io(`${url}/duel`, { transports: ["websocket"], forceNew: true });
  const synced = new Promise((done) => socket.once("sync", (_, { state }) => done(state)));
  socket.on("update", (_, state) => onState(state));
  socket.emit("sync", MATCH, player, undefined, 2);
  onState(await synced);
  return socket;
}

async function peer() {
  let seen = 0;
  let newest = null;
  const players = [];
  for (const player of ["0", "1"])
    players.push(
      await join(player, (state) => {
        if (!newest || state._stateID > newest._stateID) newest = state;
      }),
    );
  for (let n = 0; n < count; n += 1)
    await join(null, (state) => {
      if (state.G.round > seen) note();
    });
  const choose = (player) =>
    players[player].emit(
      "update",
      { type: "MAKE_MOVE", payload: { type: "choose", args: ["attack"], playerID: String(player) } },
      newest._stateID,
      MATCH,
      String(player),
    );
  return async () => {
    const before = newest._stateID;
    choose(0);
    while (newest._stateID === before) await pause(1);
    await pause(PEOPLE_MS);
    await round(() => choose(1));
    seen += 1;
  };
}

/** An open socket of a hub's page. */
async function follow(address, cookie, onText) {
  const socket = new WebSocket(address.replace(/^http/, "ws"), {
    origin: new URL(address).origin,
    headers: cookie ? { cookie } : {},
  });
  const first = new Promise((done, failed) => {
    socket.once("message", done);
    socket.once("error", failed);
  });
  socket.on("message", (data) => onText(String(data)));
  await first;
  return socket;
}

async function facedown() {
  const page = new URL(keyed);
  const entered = await fetch(page, { redirect: "manual" });
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const player = await follow(`${page.origin}/ws${page.pathname}`, cookie, () => {});
  for (let n = 0; n < count; n += 1)
    await follow(`${url}ws`, "", (text) => {
      JSON.parse(text);
      if (text.includes('"revealed"')) note();
    });
  return (line) => round(() => player.send(line));
}

async function main() {
  const play = await (kind === "peer" ? peer() : facedown());
  console.log("ready");
  for await (const line of readline.createInterface({ input: process.stdin })) await play(line);
  process.exit(0);
}

main();
