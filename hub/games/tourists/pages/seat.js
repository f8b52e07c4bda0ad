/** The tourists' part of a player's page: questions, warnings, the sheet. */

import { list, pretty, t } from "#core/texts.js";
import { faceUp, isConflict, partyOf } from "./conflict.js";
import { cardLies } from "./named.js";

export * from "./decisions.js";
export { explain } from "./explain.js";
export { felt } from "./felt.js";
export { own } from "./own.js";
export { card } from "./pictured.js";
export { sheet } from "./sheet.js";

/** Steps in which one member of a party acts for all. */
const FOR_ALL = ["tactics", "draw", "bid", "loss", "losses", "tell"];
/** This many reversed cards wipe a party out. */
const WIPES_OUT = 5;

/**
 * Warnings beside a question: whether a teammate has acted for the party already, how near the end
 * is, and which cards others may use.
 * @param {import("#core/types.js").State} state
 * @param {string} name
 * @returns {Array<[string, string]>}
 */
export function dangers(state, name) {
  if (!isConflict(state)) return [];
  const { game, step } = state;
  const own = partyOf(state, name);
  const party = game.parties[own];
  if (!party || game.result) return [];
  if (party.out === "wiped-out") return [["wiped-out", t("tourists.beware.wiped-out", { party: pretty(own) })]];
  if (party.out || game.members[name]?.conceded)
    return [
      [
        "concede",
        t("tourists.beware.conceded", {
          count: game.members[name]?.draws ?? 1,
          number: game.members[name]?.draws ?? 1,
        }),
      ],
    ];
  /** @type {Array<[string, string]>} */
  const found = [];
  const by = FOR_ALL.includes(step) ? party.characters.find((who) => state.committed.includes(who)) : undefined;
  if (by !== undefined && by !== name)
    found.push(["minor done", t("tourists.beware.done", { name: pretty(by), party: pretty(own) })]);
  if (game.round?.let_all.includes(name) && !game.round.outcome)
    found.push(["minor let-all", t("tourists.beware.let-all")]);
  if (game.wish)
    found.push([
      "minor reframe",
      t(game.wish.who === name ? "tourists.beware.wish.yours" : "tourists.beware.wish", {
        who: pretty(game.wish.who),
        text: game.wish.text,
      }),
    ]);
  if (party.reversed === WIPES_OUT - 1 && !game.round?.outcome)
    found.push(["wiped-out", t("tourists.beware.fourth", { party: pretty(own) })]);
  const open = faceUp(party);
  if (open.length && ["draw", "bid", "answers", "redraw"].includes(step))
    found.push(["minor loss", t("tourists.beware.losses", { cards: list(open.map(cardLies)), count: open.length })]);
  return found;
}
