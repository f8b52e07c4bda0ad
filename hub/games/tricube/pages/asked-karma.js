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
 * @param {{actor: string}} asking
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
 * The only perk: there is nothing to choose then.
 * @param {readonly string[]} perks
 */
export const onlyOf = (perks) => (perks.length === 1 ? [...perks] : []);

/**
 * Buttons to select perks.
 * @param {Ui} ui
 * @param {string} key
 * @param {readonly string[]} perks
 * @param {string[]} [first] those selected at first
 * @returns {{part: import("#core/types.js").Part, picked: string[]}}
 */
export function perksOf(ui, key, perks, first = onlyOf(perks)) {
  /** @type {string[]} */
  const picked = form(ui, key).perks ?? first;
  /** @param {string} perk */
  const after = (perk) =>
    picked.includes(perk)
      ? picked.filter((each) => each !== perk)
      : perks.filter((each) => picked.includes(each) || each === perk);
  const part = h(
    "div",
    { class: "row with-label", key: "perks", role: "group", "aria-label": t("tricube.field.perks") },
    h("span", { class: "what", key: "what" }, t("tricube.field.perks")),
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
 * Rolls with their dice and difficulty.
 * @param {Tale} state
 * @param {string[]} names
 */
const rolled = ({ game }, names) =>
  h(
    "ul",
    { class: "own-lines", key: "rolls" },
    names.map((name) => {
      const roll = game.rolling?.rolls[name];
      return h(
        "li",
        { key: name, class: "own-roll" },
        h("b", {}, pretty(name)),
        (roll?.dice ?? []).map((die, at) =>
          h("span", { key: `die-${at}`, role: "img", "aria-label": String(die) }, pips(die)),
        ),
        h("span", { key: "hard" }, t("tricube.aside.hard", { final: roll?.difficulty.final ?? "" })),
      );
    }),
  );

/**
 * Whether a die reaches a difficulty.
 * @param {Tale} state
 * @param {string} name
 * @param {number} easier by how much
 */
function hits({ game }, name, easier) {
  const roll = game.rolling?.rolls[name];
  const final = (roll?.difficulty.final ?? 0) - easier;
  return { final, number: (roll?.dice ?? []).filter((die) => die >= final).length };
}

/**
 * Karma of one character. On the console the rolls stand above the characters who may pay.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function helping(state, ui, asking) {
  const { actor, offers, free } = asking;
  const one = state.game.cast[actor];
  if (!one) return null;
  const key = formOf(state, actor, "karma");
  const { part, picked } = perksOf(ui, key, one.perks, []);
  const names = easier(state, asking);
  /**
   * A perk may help a friend only if somebody says so; the only one helps its own character.
   * @param {string} name
   */
  const perksFor = (name) => (picked.length || name !== actor ? picked : onlyOf(one.perks));
  /** @param {string} name */
  const choice = (name) => {
    const perks = perksFor(name);
    return name === actor && perks.length === 1 && !perks[0]?.startsWith("{")
      ? `karma ${perks[0]}`
      : `karma ${JSON.stringify({ perks, ...(name === actor ? {} : { for: name }) })}`;
  };
  /** @param {string} name */
  const button = (name) => {
    const { final, number } = hits(state, name, 1);
    return decide(
      ui,
      name === actor && !ui.console ? t("tricube.own.karma.own") : t("tricube.own.karma.for", { name: pretty(name) }),
      actor,
      choice(name),
      {
        kind: "offer",
        more: t("tricube.own.karma.makes", { final, number, count: number }),
        why: perksFor(name).length ? "" : t("tricube.wish.cure.perks"),
        hush: true,
      },
    );
  };
  const has = t("tricube.lasting.karma", { has: one.karma, most: one.karma_max });
  const costs = ui.console
    ? one.karma
      ? has
      : t("tricube.gm.karma.instead", { name: pretty(actor) })
    : t(one.karma ? "tricube.own.karma.costs" : "tricube.own.karma.instead", { has: one.karma });
  // Where karma turns a failure, neither answer is the usual one.
  const turns = names.some((name) => hits(state, name, 0).number === 0);
  return [
    !ui.console && rolled(state, names),
    h("p", { class: "hint", key: "costs" }, costs),
    part,
    row(
      names.map(button),
      decide(ui, t("tricube.own.karma.none"), actor, "karma none", {
        kind: free || turns ? "offer" : "offer default",
        why: offers.find(({ value }) => value === "none")?.reason ?? "",
      }),
    ),
  ];
}

/**
 * On the console, what all who may pay karma have in common.
 * @param {Tale} state
 * @param {string[]} actors
 */
export function karmaOf(state, actors) {
  const [one = ""] = actors;
  const names = (state.game.rolling?.order ?? []).filter((name) =>
    actors.some((actor) => easier(state, { actor }).includes(name)),
  );
  return {
    title: t(actors.length > 1 ? "tricube.ask.karma.all" : "tricube.ask.karma", { actor: pretty(one) }),
    inside: [rolled(state, names), h("p", { class: "hint", key: "hint" }, t("tricube.gm.karma.hint"))],
  };
}
