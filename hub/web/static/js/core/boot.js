/** How a page begins: its texts, its stream, and what the family that is played shows by itself. */

import { Connection } from "./connection.js";
import { absent, enter, fetchGames, forgetFailed, lacking } from "./game.js";
import { dress } from "./portrait.js";
import { Score } from "./score.js";
import { dressSoon } from "./later.js";
import { readState } from "./state.js";
import { loadTexts } from "./texts.js";

/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").State} State */

/**
 * Follow a stream of the hub.
 * @param {Object} page
 * @param {string} page.path of its stream, below the hub's first page
 * @param {import("./types").Games} page.games that have pages of their own
 * @param {string[]} page.faces of a family that it shows: `stage`, `seat`, `gm`
 * @param {boolean} [page.asks] whether somebody decides there: see {@link Score}
 * @param {string} [page.part] of the texts: `.room` for those without the pages that have a key
 * @param {() => Promise<void>} [page.prepare] what else it needs before it hears anything
 * @param {(state: State) => void} page.show draws a state in which cards turn over, nothing else
 * @param {(frame: import("./types").StateFrame) => void} [page.news] hears of each state at once, before its time
 * @param {(frame: Frame, state: State|null) => void} page.tell hears each frame when its time has
 *   come; with one of the table the state that it brings
 * @param {(status: import("./types").Status, code?: number) => void} page.onStatus
 * @returns {Promise<Connection>}
 */
export async function follow({ path, games, faces, asks, part = "", prepare = async () => {}, news, show, tell, onStatus }) {
  await loadTexts(part);
  await prepare();
  /** What has come while a family's modules are on their way. @type {Frame[]|null} */
  let held = null;
  const score = new Score({
    asks,
    show: (frame) => {
      enter(frame);
      dress(frame);
      show(readState(frame));
    },
    tell: (frame) => {
      if (frame.type !== "state") return tell(frame, null);
      enter(frame);
      dress(frame);
      tell(frame, readState(frame));
    },
  });
  /** Whose modules a frame waits for; the chronicle tells of all that was ever played. @param {Frame} frame */
  const needed = (frame) => {
    if (frame.type === "chronicle") return absent(games);
    return frame.type === "state" ? lacking(games, frame) : [];
  };
  /** @param {Frame} frame */
  const take = (frame) => {
    if (frame.type === "state") news?.(frame);
    if (held) return void held.push(frame);
    const families = needed(frame);
    if (!families.length) return score.take(frame);
    const late = (held = [frame]);
    fetchGames(games, families, faces).then(() => {
      // A stream that has begun anew since holds its own.
      if (held !== late) return;
      held = null;
      late.forEach(take);
    });
  };
  dressSoon();
  return new Connection(path, take, (status, code) => {
    if (status === "open") {
      held = null;
      forgetFailed();
      score.join();
    }
    onStatus(status, code);
  });
}
