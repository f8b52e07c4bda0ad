/** A turn on a player's phone: the opponent's stance, and the outcome. */

import { h } from "#core/dom.js";
import { list, pretty, t } from "#core/texts.js";
import { choiceName, smallCard } from "./cards.js";
import { isConflict, isProblem, problemHead, problemWhy } from "./problem.js";
import { overSaid, verdict } from "./say.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Felt} Felt */

/**
 * Both revealed stances, beside the choice of a move; null before that.
 * @param {State} state
 * @param {string} name
 */
export function facing(state, name) {
  if (!isConflict(state)) return null;
  const { turn, characters } = state.game;
  const other = turn?.active === name ? turn?.opponent : turn?.active;
  if (!turn?.stances || turn.moves || !other || ![turn.active, turn.opponent].includes(name)) return null;
  const { stances } = turn;
  /** @param {string} who */
  const lost = (who) => characters[who]?.face_up ?? [];
  /**
   * @param {string} who
   * @param {string} called
   */
  const one = (who, called) =>
    h(
      "div",
      { class: `own-faced ${who === name ? "" : "other"}`, key: who },
      h("h2", {}, called),
      h("ul", {}, smallCard(stances[who] ?? "none", "stance")),
      who !== name &&
        lost(who).length > 0 &&
        h("p", {}, t("own.facing.lost", { cards: list(lost(who).map((move) => choiceName("move", move))) })),
    );
  return h(
    "section",
    { class: "own-facing", key: "facing", "aria-label": t("own.facing") },
    one(other, pretty(other)),
    one(name, t("own.facing.you")),
  );
}

/**
 * The latest outcome of a turn, conflict or problem for one player; null if there is none. `after`
 * may be a state during a reveal, and then includes only what the display shows by then.
 * @param {State} before
 * @param {State} after
 * @param {string} name
 * @returns {Felt|null}
 */
export function felt(before, after, name) {
  if (isProblem(after)) return feltProblem(before, after, name);
  if (!isConflict(after)) return null;
  const { game } = after;
  const { characters, result, turn } = game;
  const was = isConflict(before) && before.scene === after.scene ? before.game : null;
  const own = characters[name];
  if (!own) return null;
  if (result && !was?.result) {
    const won = result.winner === own.side;
    const kind = result.winner ? (won ? "triumph" : "defeat") : "tie";
    return { kind, title: overSaid(result.winner), text: t(`over.${result.reason}`) };
  }
  if (own.out && was && !was.characters[name]?.out)
    return { kind: "out", title: t("own.felt.out"), text: turn ? verdict(turn) : "" };
  if (!turn?.outcome || (was?.turn?.number === turn.number && was.turn.outcome)) return null;
  const text = verdict(turn);
  // While the display still counts the loss, phones do not show the total.
  const loses = "counted" in turn ? 0 : (turn.losses[name]?.total ?? 0);
  if (turn.winner === name) return { kind: "won", title: t("own.felt.won"), text };
  if (turn.loser === name)
    return { kind: "lost", title: loses ? t("own.felt.loses", { loses }) : t("own.felt.lost"), text };
  if ([turn.active, turn.opponent].includes(name)) return { kind: "tie", title: t("own.felt.tie"), text };
  return loses ? { kind: "lost", title: t("own.felt.loses", { loses }), text } : null;
}

/**
 * @param {State} before
 * @param {import("./types").Problem} after
 * @param {string} name
 * @returns {Felt|null}
 */
function feltProblem(before, after, name) {
  const { result, decider, options } = after.game;
  const was = isProblem(before) && before.scene === after.scene ? before.game : null;
  if (!options?.[name]) return null;
  if (result && !was?.result)
    return { kind: result.success ? "triumph" : "defeat", title: problemHead(after), text: "" };
  if (!was?.options && decider)
    return {
      kind: decider === name ? "won" : "shown",
      title: decider === name ? t("own.felt.tells") : t("own.felt.told", { name: pretty(decider) }),
      text: problemWhy(after),
    };
  return null;
}
