/** The display for players at the table (*near*): everything that is public, at once. */

import { banners } from "../core/banners.js";
import { h } from "../core/dom.js";
import { game } from "../core/game.js";
import { hubLine } from "../core/players.js";
import { prompt } from "../core/prompt.js";
import { lostReaders } from "../core/seats.js";
import { short } from "../core/short.js";
import { storyLine } from "../core/story.js";
import { t } from "../core/texts.js";
import { timer } from "../core/timer.js";
import { between } from "./between.js";

/** @typedef {import("../core/types").State} State */

/**
 * The header: the scene, the turn, the timer.
 * @param {State} state
 */
function top(state) {
  const { sort, title, turns, note } = game().scene(state);
  return h(
    "header",
    { class: "top", key: "top" },
    h("div", { class: "scene" }, sort !== title && h("p", { class: "eyebrow" }, sort), h("h1", {}, title)),
    h(
      "div",
      { class: "when" },
      turns &&
        h("p", { class: "turn-number" }, state.turn_number ? t("turn", { number: state.turn_number }) : t("turn.none")),
      note && h("p", { class: "kept" }, note),
    ),
    timer(state),
    storyLine(state),
  );
}

/**
 * The headline of the moment: the step; after a decision the verdict, and the step in small print.
 * @param {State} state
 * @param {Pick<import("../core/types").Game, "prompt"|"verdict">} [family] the family in play
 */
export function headline(state, family = game()) {
  const { head, more } = prompt(state, family);
  const decided = family.verdict(state);
  if (decided) return verdict(decided, state.phase !== "locked" && head !== decided.said && [head, more]);
  return h(
    "div",
    { class: "headline", key: "headline" },
    h("h2", { key: "head" }, head),
    more && h("p", { key: "more" }, more),
    state.phase === "locked" && h("div", { class: "roll", "aria-hidden": "true" }, h("span"), h("span"), h("span")),
    state.phase === "locked" && h("p", { class: "log-head", key: "log" }, t("log.head", { head: short(state.head) })),
  );
}

/**
 * @param {import("../core/types").Verdict} decided
 * @param {[string, string]|false} waits headline of the step
 */
const verdict = ({ lead, said, why }, waits) =>
  h(
    "div",
    { class: "headline decided", key: "headline" },
    h("h2", { class: "verdict", key: "verdict" }, lead && h("span", { class: "lead" }, `${lead}: `), h("b", {}, said)),
    why && h("p", { class: "because", key: "because" }, why),
    h(
      "p",
      { class: "waits", key: "waits" },
      waits && [h("b", { key: "for" }, waits[0]), waits[1] && h("span", { key: "more" }, ` ${waits[1]}`)],
    ),
  );

/**
 * Everything on the display.
 * @param {{state: State|null, status: import("../core/types").Status, notice: string}} shown
 */
export function display({ state, status, notice }) {
  const lost = status === "lost" || (status === "opening" && state);
  return h(
    "div",
    { class: `sheet ${lost ? "cut-off" : ""}` },
    banners(state, status),
    state?.game ? [top(state), game().body(state, headline(state))] : between(state),
    state && lostReaders(state),
    state && hubLine(state),
    notice && h("p", { class: "notice", key: "notice", role: "status" }, notice),
  );
}
