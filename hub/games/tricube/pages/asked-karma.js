/** Karma after the dice: spent with one or more perks, for one's own roll or a friend's. */

import { h } from "#core/dom.js";
import { decide, form, row, turn } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";
import { formOf, pips } from "./asked-dice.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("./types").Tale} Tale */

/**
 * The rolls that this actor's karma would improve, its own first. Omits rolls for which this actor,
 * or one with enough karma, has promised some.
 * @param {Tale} state
 * @param {Asking} asking
 */
export function easier({ game }, { actor }) {
  const found = Object.entries(game.rolling?.rolls ?? {}).filter(
    ([
      ,
      {
        dice,
        difficulty: { final },
        karma,
        wanted,
        promised_by: promised,
      },
    ]) => final !== null && !karma && promised === null && !wanted.includes(actor) && dice?.includes(final - 1),
  );
  return found.map(([name]) => name).sort((one, other) => Number(other === actor) - Number(one === actor));
}

/**
 * Buttons to select perks.
 * @param {Ui} ui
 * @param {string} key
 * @param {readonly string[]} perks
 * @returns {{part: import("#core/types.js").Part, picked: string[]}}
 */
export function perksOf(ui, key, perks) {
  /** @type {string[]} */
  const picked = form(ui, key).perks ?? perks.slice(0, 1);
  /** @param {string} perk */
  const after = (perk) =>
    picked.includes(perk)
      ? picked.filter((each) => each !== perk)
      : perks.filter((each) => picked.includes(each) || each === perk);
  const part = h(
    "div",
    { class: "row", key: "perks", role: "group", "aria-label": t("tricube.field.perks") },
    perks.map((perk) =>
      turn(
        perk,
        { form: key, field: "perks", value: JSON.stringify(after(perk)), json: "" },
        { pressed: picked.includes(perk), kind: "quiet chip", key: `perk-${perk}` },
      ),
    ),
  );
  return { part, picked };
}

/**
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function helping(state, ui, asking) {
  const { actor, offers, free } = asking;
  const one = state.game.cast[actor];
  if (!one) return null;
  const key = formOf(state, actor, "karma");
  const { part, picked } = perksOf(ui, key, one.perks);
  const rolls = state.game.rolling?.rolls ?? {};
  /** @param {string} name */
  const choice = (name) =>
    name === actor && picked.length === 1 && !picked[0]?.startsWith("{")
      ? `karma ${picked[0]}`
      : `karma ${JSON.stringify({ perks: picked, ...(name === actor ? {} : { for: name }) })}`;
  const why = picked.length ? "" : t("tricube.wish.cure.perks");
  /** @param {string} name */
  const button = (name) => {
    const roll = rolls[name];
    const final = (roll?.difficulty.final ?? 1) - 1;
    const number = (roll?.dice ?? []).filter((die) => die >= final).length;
    const more = t("tricube.own.karma.makes", { final, number, count: number });
    return decide(
      ui,
      name === actor ? t("tricube.own.karma.own") : t("tricube.own.karma.for", { name: pretty(name) }),
      actor,
      choice(name),
      { kind: "offer", more, why, hush: true },
    );
  };
  return [
    h(
      "ul",
      { class: "own-lines", key: "rolls" },
      easier(state, asking).map((name) =>
        h(
          "li",
          { key: name, class: "own-roll" },
          h("b", {}, pretty(name)),
          " ",
          (rolls[name]?.dice ?? []).map((die, at) =>
            h("span", { key: `die-${at}`, role: "img", "aria-label": String(die) }, pips(die)),
          ),
          " ",
          t("tricube.aside.hard", { final: rolls[name]?.difficulty.final ?? "" }),
        ),
      ),
    ),
    part,
    h(
      "p",
      { class: "hint", key: "costs" },
      t(one.karma ? "tricube.own.karma.costs" : "tricube.own.karma.instead", { has: one.karma }),
    ),
    row(
      easier(state, asking).map(button),
      decide(ui, t("tricube.own.karma.none"), actor, "karma none", {
        kind: free ? "offer" : "offer default",
        why: offers.find(({ value }) => value === "none")?.reason ?? "",
      }),
    ),
  ];
}
