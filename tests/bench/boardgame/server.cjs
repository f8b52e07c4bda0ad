/**
 * `node server.cjs PORT [FILE]`: a boardgame.io server with a game in which two players choose at
 * once and both choices are revealed with the second. Its storage is in memory; with FILE it is also
 * written there and synced, state by state. Prints `ready`.
 */

const fs = require("node:fs");
const { Server } = require("boardgame.io/server");
const { ActivePlayers } = require("boardgame.io/core");

const game = {
  name: "duel",
  setup: () => ({ round: 0, chosen: {}, shown: {} }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    choose({ G, playerID }, card) {
      G.chosen[playerID] = card;
      if (Object.keys(G.chosen).length < 2) return;
      G.shown = G.chosen;
      G.chosen = {};
      G.round += 1;
    },
  },
  playerView: ({ G }) => ({ ...G, chosen: Object.keys(G.chosen) }),
};

const [port, file] = process.argv.slice(2);
const origins = ["*"];
const InMemory = Server({ games: [game], origins }).db.constructor;

class Durable extends InMemory {
  file = fs.openSync(file, "a");

  setState(id, state, log) {
    super.setState(id, state, log);
    fs.writeSync(this.file, `${JSON.stringify({ id, state, log })}\n`);
    fs.fdatasyncSync(this.file);
  }
}

const server = Server({ games: [game], origins, db: file ? new Durable() : new InMemory() });
server.run({ port: Number(port) }, () => console.log("ready"));
