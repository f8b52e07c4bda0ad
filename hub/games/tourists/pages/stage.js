/**
 * The public view of a Conflict: the parties around the table, their cards, and whose turn it is.
 */

import { h } from "#core/dom.js";
import { fetchStyle, later } from "#core/later.js";
import { pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { lying } from "./cards.js";
import { isConflict } from "./conflict.js";
import { partyView } from "./party.js";
import { wouldSaid } from "./room.js";
import { verdict as verdictOf } from "./say.js";

export * from "./room.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("./types").Conflict} Conflict */

/** More parties than this are shown side by side in a stream overlay. */
const FEW = 3;

/** @param {State} state */
export const verdict = (state) => (isConflict(state) ? verdictOf(state) : null);

const styled = later(async () => {
  await Promise.all([fetchStyle("tourists-cards"), fetchStyle("tourists")]);
  return () => null;
});

/** The round's outcome with the current cards. @param {Conflict} state */
function would(state) {
  const said = wouldSaid(state);
  return (
    said && h("p", { class: "would", key: "would" }, h("span", {}, t("tourists.stage.would")), " ", h("b", {}, said))
  );
}

/** The Control, in the middle of the table, until the Conflict is over. @param {Conflict} state */
function control({ game: { control: held, foregone, result } }) {
  if (result) return null;
  return h(
    "p",
    { class: "control-of", key: "control" },
    held
      ? [
          word("tourists.control", t("tourists.stage.control.word")),
          " ",
          h("b", {}, pretty(held.party)),
          " ",
          h("b", { class: "ranks" }, held.ranks),
        ]
      : h("b", {}, word("tourists.balanced", t("tourists.stage.balanced"))),
    foregone && h("em", {}, t("tourists.stage.foregone")),
  );
}

/** The cards rejected, covered or discarded in this round. @param {Conflict} state */
function discarded({ game: { round } }) {
  if (!round?.discarded.length) return null;
  return h(
    "div",
    { class: "discarded", key: "discarded" },
    h("h3", {}, t("tourists.stage.discarded")),
    h(
      "div",
      { class: "row-of" },
      round.discarded.map((one) => lying(one, { look: "mini" })),
    ),
  );
}

/** @param {Conflict} state @param {import("#core/types.js").Part} headline */
const middle = (state, headline) =>
  h(
    "section",
    { class: "stage middle-of", key: "stage", "aria-label": t("tourists.stage.conflict") },
    headline,
    control(state),
    would(state),
    discarded(state),
  );

/**
 * The parties around the table, with the current play in the middle.
 * @param {Conflict} state
 * @param {import("#core/types.js").Part} headline
 */
function around_(state, headline) {
  styled();
  const names = state.game.around;
  return [
    middle(state, headline),
    ...names.map((name, at) => h("div", { class: `place-${at}`, key: `place-${name}` }, partyView(state, name))),
  ];
}

/**
 * @param {State} state
 * @param {import("#core/types.js").Drawn} headline
 */
export function body(state, headline) {
  if (!isConflict(state)) return headline;
  const count = Math.min(Object.keys(state.game.parties).length, 7);
  return h("main", { class: `ring ring-${count}`, key: "ring" }, around_(state, headline));
}

/** @param {State} state */
export const around = (state) =>
  isConflict(state) ? [h("div", { class: "ring own-ring", key: "ring" }, around_(state, null))] : [];

/**
 * @param {State} state
 * @param {import("#core/types.js").Part} timer
 */
export const miniature = (state, timer) =>
  isConflict(state)
    ? h("section", { class: "mini ring mini-ring", key: "mini", "aria-label": t("table.mini") }, around_(state, timer))
    : timer;

/** For a stream overlay: the parties with cards, and the expected outcome. @param {State} state */
export function played(state) {
  if (!isConflict(state)) return null;
  styled();
  const { round, parties } = state.game;
  const shown = state.game.around.filter((name) => (parties[name]?.laid.length ?? 0) > 0);
  if (state.game.result && !shown.length) return null;
  return h(
    "section",
    { class: `stream-of ${shown.length > FEW ? "many" : ""}`, key: "stream" },
    control(state),
    would(state),
    shown.map((name) =>
      h(
        "div",
        { class: `stream-party ${round?.answered.includes(name) ? "answered" : ""}`, key: name },
        h("h3", {}, pretty(name)),
        h(
          "div",
          { class: "row-of" },
          parties[name]?.laid.map(({ card: one, reserve }) =>
            lying(one, { look: `tiny ${reserve ? "of-reserve" : ""}` }),
          ),
        ),
      ),
    ),
  );
}

/** @param {State} state */
export const shown = ({ game }) => (game?.ruleset === "tourists" ? String(game.round?.number ?? 0) : "");
