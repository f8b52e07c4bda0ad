/** Starts a page: its texts, its stream, and the modules of the rule family in play. */

import { Connection } from "./connection.js";
import { absent, enter, fetchGames, forgetFailed, lacking } from "./game.js";
import { dressSoon } from "./later.js";
import { dress } from "./portrait.js";
import { Score } from "./score.js";
import { readState } from "./state.js";
import { loadTexts } from "./texts.js";

/** @typedef {import("./types").Frame} Frame */
/** @typedef {import("./types").State} State */

/**
 * Follow a stream of the hub.
 * @param {Object} page
 * @param {string} page.path relative to the hub's index page
 * @param {import("./types").Games} page.games families that have modules
 * @param {string[]} page.faces parts of a family that this page needs: `stage`, `seat`, `gm`
 * @param {boolean} [page.asks] whether a player decides here: see {@link Score}
 * @param {string} [page.part] of the texts: `.room` for those that pages without a key need
 * @param {() => Promise<void>} [page.prepare] further work before the stream starts
 * @param {(state: State) => void} page.show draws a state during a reveal, nothing else
 * @param {(frame: import("./types").StateFrame) => void} [page.news] gets each state at once,
 *   before its time
 * @param {(frame: Frame, state: State|null) => void} page.tell gets each frame when its time has
 *   come; with a `state` frame also the state read from it
 * @param {(status: import("./types").Status, code?: number) => void} page.onStatus
 * @returns {Promise<Connection>}
 */
export async function follow({
  path,
  games,
  faces,
  asks,
  part = "",
  prepare = async () => {},
  news,
  show,
  tell,
  onStatus,
}) {
  await loadTexts(part);
  await prepare();
  /** Frames that arrive while a family's modules load. @type {Frame[]|null} */
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
  /**
   * The families whose modules a frame needs. The chronicle may tell of any family.
   * @param {Frame} frame
   */
  const needed = (frame) => {
    if (frame.type === "chronicle") return absent(games);
    return frame.type === "state" || frame.type === "hand" ? lacking(games, frame) : [];
  };
  /** @param {Frame} frame */
  const take = (frame) => {
    if (frame.type === "state") news?.(frame);
    if (held) return void held.push(frame);
    const families = needed(frame);
    if (!families.length) return score.take(frame);
    const late = (held = [frame]);
    fetchGames(games, families, faces).then(() => {
      // A reconnected stream holds its own frames.
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
