/** Points split over the three types: for a loss or a recovery. */

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Offer} Offer */
/** @typedef {Record<string, number>} Split */

import { waits } from "#core/commands.js";
import { h } from "#core/dom.js";
import { list, t } from "#core/texts.js";
import { sign, TYPES } from "./shapes.js";

/** Declines to step in for a loser; asked before the split. */
export const REFUSAL = "let-be";

/**
 * The points of a written split.
 * @param {string} value
 */
export function readSplit(value) {
  const words = value.split(" ");
  /** @type {Split} */
  const split = { attack: 0, defend: 0, grapple: 0 };
  for (let at = 0; at + 1 < words.length; at += 2) split[String(words[at])] = Number(words[at + 1]);
  return split;
}

/**
 * The written form of a split, without zeros.
 * @param {Split} split
 */
export const writeSplit = (split) =>
  TYPES.filter((type) => split[type])
    .map((type) => `${type} ${split[type]}`)
    .join(" ");

/**
 * Points by type in words: Attack 2, Defend 1.
 * @param {string} value
 */
export function splitName(value) {
  const split = readSplit(value);
  return list(TYPES.filter((type) => split[type]).map((type) => `${t(type)} ${split[type]}`));
}

/** @param {Split} split */
const sum = (split) => TYPES.reduce((all, type) => all + Number(split[type]), 0);

/**
 * A key for a split, unique because a phase's number never recurs, not even after an undo.
 * @param {State} state
 * @param {string} actor
 * @param {string} kind
 */
const keyOf = (state, actor, kind) =>
  [state.scene, state.version.phase, actor, kind, ...(state.counted?.[actor]?.points ?? [])].join("-");

/**
 * An editor's initial split: the points counted out by cards so far, or else the suggestion.
 * @param {State} state
 * @param {string} actor
 * @param {Offer[]} offers
 */
function beginning(state, actor, offers) {
  const points = state.counted?.[actor]?.points;
  if (!points) return readSplit((offers.find((offer) => offer.default) ?? offers[0]).value);
  return Object.fromEntries(TYPES.map((type) => [type, points.filter((point) => point === type).length]));
}

/**
 * The unfinished splits after a press of a stepper or of the suggestion button.
 * @param {State} state
 * @param {Ui} ui
 * @param {DOMStringMap} data of the button
 */
export function edit(state, ui, { actor = "", kind = "", split: type, by }) {
  if (!type) return {};
  const asked = ui.questions.find((question) => question.actor === actor)?.offers ?? [];
  const key = keyOf(state, actor, kind);
  const split =
    ui.splits[key] ??
    beginning(
      state,
      actor,
      asked.filter((offer) => offer.kind === kind),
    );
  return { [key]: { ...split, [type]: split[type] + Number(by) } };
}

/**
 * @param {{actor: string, kind: string, type: string}} data
 * @param {number} by
 * @param {string} label
 * @param {boolean} off
 */
function stepper(data, by, label, off) {
  const attributes = {
    type: "button",
    class: "step",
    key: `${data.type}${by}`,
    "data-split": data.type,
    "data-by": by,
    "data-actor": data.actor,
    "data-kind": data.kind,
    "aria-label": t(label, { type: t(data.type) }),
    disabled: off,
  };
  return h("button", attributes, by > 0 ? "+" : "−");
}

/**
 * Steppers for each type, and a button that submits a complete split; null if nothing is split.
 * @param {State} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Asking} asking
 */
export function editor(state, ui, { actor, kind, offers }) {
  const bounds = offers.find((offer) => offer.bounds)?.bounds;
  if (!bounds) return null;
  const { total, most } = bounds;
  /** @param {string} type */
  const least = (type) => bounds.least[type] ?? 0;
  const split = ui.splits[keyOf(state, actor, kind)] ?? beginning(state, actor, offers);
  const left = total - sum(split);
  const lowered = TYPES.some((type) => split[type] < least(type));
  const words =
    left > 0
      ? t(`points.left.${kind}`, { left })
      : left < 0
        ? t("points.over", { over: -left })
        : splitName(writeSplit(split));
  const choice = `${kind} ${writeSplit(split)}`;
  const first = ui.questions.some((/** @type {import("#core/types.js").Question} */ { offers: other }) =>
    other.some((offer) => offer.kind === REFUSAL),
  );
  /** @param {import("./wire").Action} type */
  const row = (type) =>
    h(
      "div",
      { class: `type ${type}`, key: type },
      h("span", { class: "what" }, sign(type, t(`${type}.letter`)), t(type)),
      stepper({ actor, kind, type }, -1, "points.less.of", split[type] <= least(type)),
      h("output", {}, split[type]),
      stepper({ actor, kind, type }, 1, "points.more.of", split[type] >= most[type]),
      h("span", { class: "has" }, t("points.has", { left: most[type] })),
    );
  const take = {
    type: "button",
    class: first ? "offer" : "offer default",
    key: "take",
    "data-command": "decide",
    "data-actor": actor,
    "data-choice": choice,
    "aria-disabled": waits(ui, { command: "decide", actor, choice }),
    disabled: left !== 0 || lowered,
  };
  const again = { type: "button", class: "quiet", key: "suggested", "data-suggested": actor };
  return h(
    "div",
    { class: "split", key: `split-${actor}` },
    h("div", { class: "types" }, TYPES.map(row)),
    TYPES.filter(least).map((type) =>
      h("p", { class: "hint" }, t("points.committed", { amount: least(type), type: t(type) })),
    ),
    h(
      "div",
      { class: "row" },
      h("button", take, h("b", {}, t(`points.take.${kind}`)), h("small", {}, words)),
      !state.counted?.[actor] &&
        writeSplit(split) !== writeSplit(beginning(state, actor, offers)) &&
        h("button", again, t("points.suggested")),
    ),
  );
}
