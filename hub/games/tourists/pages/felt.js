/** The latest outcome of a round or a Conflict for one player. */

import { t } from "#core/texts.js";
import { isConflict, partyOf } from "./conflict.js";
import { overSaid } from "./say.js";

/**
 * @param {import("#core/types.js").State} before
 * @param {import("#core/types.js").State} after
 * @param {string} name
 * @returns {import("#core/types.js").Felt|null}
 */
export function felt(before, after, name) {
  if (!isConflict(after)) return null;
  const { game } = after;
  const was = isConflict(before) && before.scene === after.scene ? before.game : null;
  const own = partyOf(after, name);
  const party = game.parties[own];
  if (!party) return null;
  if (game.result && was && !was.result) {
    const { winner } = game.result;
    const text = overSaid(game.result);
    if (winner === null) return { kind: "tie", title: t("tourists.felt.over"), text };
    return winner === own
      ? { kind: "triumph", title: t("tourists.felt.victor"), text }
      : { kind: "defeat", title: t("tourists.felt.over"), text };
  }
  if (party.out === "wiped-out" && was && !was.parties[own]?.out)
    return { kind: "out", title: t("tourists.felt.wiped-out"), text: "" };
  const { round } = game;
  if (!round?.narrate.length || !was || (was.round?.number === round.number && was.round.narrate.length)) return null;
  const lost = round.suffered[own];
  const text = lost
    ? lost.gravity === null
      ? t("tourists.felt.temporary")
      : `${t("tourists.felt.lasting")} ${t(`tourists.gravity.${lost.gravity}`)}`
    : "";
  if (round.winners.includes(own)) return { kind: "won", title: t("tourists.felt.won"), text };
  if (round.losers.includes(own)) return { kind: "lost", title: t("tourists.felt.lost"), text };
  return { kind: "tie", title: t("tourists.felt.neither"), text };
}
