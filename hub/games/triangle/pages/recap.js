/** Highlights of an evening of the triangle: wins by move, the best call, the closest turn. */

import { knows, list, pretty, t } from "#core/texts.js";
import { choiceName } from "./cards.js";

/** @typedef {import("#core/types.js").RecapOutcome} RecapOutcome */

/**
 * The turns that were won, with the winning move.
 * @param {RecapOutcome[]} outcomes
 */
function wonTurns(outcomes) {
  return outcomes.flatMap(({ came, state, scene, seq, title }) =>
    came
      .filter(({ what }) => what === "turn-won")
      .flatMap((/** @type {any} */ { winner, loser, why, losses }) => {
        const turn = state.game?.turn;
        const move = turn?.moves?.[winner];
        return move
          ? [
              {
                winner,
                loser,
                why,
                lost: losses[loser]?.total ?? losses[loser] ?? 0,
                move,
                number: turn.number,
                title,
                watch: `${scene}.${seq}`,
              },
            ]
          : [];
      }),
  );
}

/**
 * @param {RecapOutcome[]} outcomes of all scenes, in order
 * @returns {Array<{title: string, text: string, watch?: string}>}
 */
export function highlights(outcomes) {
  const won = wonTurns(outcomes);
  /** @type {Map<string, Map<string, number>>} */
  const wins = new Map();
  for (const { winner, move } of won) {
    const own = wins.get(winner) ?? new Map();
    wins.set(winner, own.set(move, (own.get(move) ?? 0) + 1));
  }
  const most = [...wins].sort(([, one], [, other]) => sum(other) - sum(one));
  /** @type {Array<{title: string, text: string, watch?: string}>} */
  const said = most.map(([name, moves]) => ({
    title: t("recap.won", { name: pretty(name), number: sum(moves), count: sum(moves) }),
    text: list(
      [...moves]
        .sort(([, one], [, other]) => other - one)
        .map(([move, times]) => t("recap.won.with", { move: choiceName("move", move), number: times })),
    ),
  }));
  const best = won.reduce((found, each) => (found && found.lost >= each.lost ? found : each), won[0]);
  const hard = won.filter(({ why }) => why !== "action");
  const close = (hard.length ? hard : won).reduce(
    (found, each) => (found && found.lost <= each.lost ? found : each),
    (hard.length ? hard : won)[0],
  );
  /** @param {typeof won[number]} each */
  const places = (each) => ({
    winner: pretty(each.winner),
    loser: pretty(each.loser),
    lost: each.lost,
    turn: each.number,
    move: choiceName("move", each.move),
    why: knows(`recap.why.${each.why}`) ? t(`recap.why.${each.why}`) : "",
  });
  if (best?.lost > 0)
    said.push({ title: t("recap.best"), text: t("recap.best.text", places(best)), watch: best.watch });
  if (close && close !== best)
    said.push({ title: t("recap.close"), text: t("recap.close.text", places(close)), watch: close.watch });
  return said;
}

/** @param {Map<string, number>} moves */
const sum = (moves) => [...moves.values()].reduce((all, each) => all + each, 0);
