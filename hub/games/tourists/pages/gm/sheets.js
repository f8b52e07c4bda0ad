/**
 * The characters between Conflicts: their sheets, the GM's deeds, and the results of the last
 * Conflict.
 */

import { h } from "#core/dom.js";
import { draw } from "#core/forms.js";
import { fold, panel, tell } from "#core/parts.js";
import { portrait } from "#core/portrait.js";
import { list, pretty, stopped, t } from "#core/texts.js";
import { overSaid } from "../say.js";
import { written } from "../sheet.js";
import { newcomer } from "./newcomer.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Deed} Deed */

const WORDS = {
  label: () => t("tourists.deed.words"),
  /** @param {string} _ @param {unknown} value */
  said: (_, value) => String(value),
  flag: () => "",
};

/**
 * One deed with its form.
 * @param {Ui} ui
 * @param {Deed} offer
 */
function deed(ui, { deed: given, reason, fields = [] }) {
  const key = `${given.do}-${given.name}`;
  const label = t(given.do === "is-dead" && given.dead === false ? "tourists.do.back" : `tourists.do.${given.do}`);
  const name = t("tourists.do.of", { name: pretty(String(given.name)), what: label });
  if (!fields.length) return tell(ui, label, given, { place: key, why: reason, name });
  return fold(ui, key, label, () => {
    const { parts, values, reason: lacks } = draw(ui, key, fields, WORDS);
    return h(
      "div",
      { class: "form", "data-enter": "", key },
      parts,
      tell(
        ui,
        t("tourists.do"),
        { ...given, ...values },
        { place: key, kind: "offer default", why: reason || lacks, after: key, name },
      ),
    );
  });
}

/**
 * All sheets; null without a story.
 * @param {State} state
 * @param {Ui} ui
 */
export function sheetsPanel(state, ui) {
  if (!state.story) return null;
  const known = /** @type {Record<string, any>} */ ({
    .../** @type {Record<string, any>} */ (state.story.party ?? {}),
    ...ui.console.npcs,
  });
  const names = Object.keys(known);
  const sheets = names.map((name) => {
    const deeds = ui.deeds.filter((/** @type {Deed} */ { deed: each }) => each.name === name);
    const label = [portrait(name), h("b", {}, pretty(name)), known[name].dead && h("i", {}, t("tourists.gm.gone"))];
    return fold(ui, `sheet-${name}`, label, () => [
      written(known[name]),
      state.phase === "idle" && deeds.map((/** @type {Deed} */ each) => deed(ui, each)),
    ]);
  });
  return panel(
    "sheets",
    t("tourists.gm.sheets"),
    sheets,
    fold(ui, "newcomer", t("tourists.new"), () => newcomer(ui)),
  );
}

/**
 * The results of the last Conflict while nothing is played; null if there was none.
 * @param {State} state
 */
export function left(state) {
  const game = state.ended?.game;
  if (state.phase !== "idle" || game?.ruleset !== "tourists" || !game.result) return null;
  const { carried, draws } = game.result;
  const lost = Object.entries(carried).flatMap(([party, losses]) =>
    losses.map(({ who, gravity, text }, at) =>
      h(
        "li",
        { key: `${party}-${at}` },
        h("b", {}, pretty(who)),
        text && `: ${text}`,
        " ",
        h("span", { class: "hint" }, t(`tourists.gravity.${gravity}`)),
      ),
    ),
  );
  const earned = Object.entries(draws).map(([who, number]) => t("tourists.left.draws", { who: pretty(who), number }));
  return h(
    "div",
    { class: "own-left", key: "left" },
    h("p", { key: "how" }, h("b", {}, state.ended?.title), " ", stopped(overSaid(game.result))),
    lost.length > 0 && [
      h("p", { key: "lost" }, t("tourists.left.lost")),
      h("ul", { class: "own-lines", key: "losses" }, lost),
    ],
    earned.length > 0 && h("p", { class: "hint", key: "earned" }, list(earned)),
  );
}
