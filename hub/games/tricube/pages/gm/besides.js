/**
 * The GM's less frequent actions in a scene: opposed rolls, NPCs, an offer, a challenge without a
 * roll, healing.
 */

import { h } from "#core/dom.js";
import { decide, form, line, menu, row, stepper } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";
import { flag } from "../asked-said.js";
import { able, against, beyond, DICE, KINDS, oneOf } from "./calling.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("../types").Tale} Tale */

const GM = "gm";
const MOST = 300;
const MOST_NAME = 100;
const MOST_EFFORT = 99;
const DIFFICULTIES = ["4", "5", "6"];
const STANDARD = "5";
const TWO = ["0", "1"];
const MOST_DICE = 3;

/** @param {Ui} ui @param {string} label @param {string} said @param {string} key @param {string} [why] */
const say = (ui, label, said, key, why = "") =>
  row(decide(ui, label, GM, said, { kind: "offer default", why, hush: true, after: key }));

/**
 * An opposed roll of two characters.
 * @param {Tale} state
 * @param {Ui} ui
 */
export function opposing(state, ui) {
  const key = `oppose-${state.scene}`;
  const said = form(ui, key);
  const all = able(state);
  const names = TWO.map((at) => said[`who-${at}`] ?? all[Number(at)] ?? "");
  const hindered = TWO.map((at, n) => against(state, names[n] ?? "", said[`hindered-${at}`]));
  const dice = said.dice ?? state.game.throws;
  const sides = Object.fromEntries(
    TWO.map((at, n) => [
      names[n],
      {
        type: said[`type-${at}`] ?? "",
        ...(said[`scope-${at}`] === false && { scope: false }),
        ...(hindered[n] && { hindered: hindered[n] }),
      },
    ]),
  );
  const kinds = TWO.every((at) => said[`type-${at}`]);
  const why =
    names[0] === names[1] || names.includes("")
      ? t("tricube.gm.oppose.two")
      : kinds
        ? ""
        : t("tricube.gm.call.type.none");
  const one = (/** @type {string} */ at) => {
    const who = names[Number(at)] ?? "";
    const afflictions = state.game.cast[who]?.afflictions ?? [];
    return h(
      "div",
      { class: "begin-member", key: `side-${at}` },
      menu(
        ui,
        key,
        `who-${at}`,
        t(`tricube.gm.oppose.side.${at}`),
        all.map((each) => [each, pretty(each)]),
        who,
      ),
      oneOf(ui, key, `type-${at}`, t("tricube.gm.call.type"), KINDS, said[`type-${at}`] ?? "", (each) =>
        t(`tricube.of.${each}`),
      ),
      row(beyond(key, `scope-${at}`, said[`scope-${at}`] ?? true)),
      afflictions.length > 0 &&
        oneOf(
          ui,
          key,
          `hindered-${at}`,
          t("tricube.gm.call.hindered"),
          ["", ...afflictions.map(({ name }) => name)],
          hindered[Number(at)] ?? "",
          (each) => each || t("tricube.gm.call.hindered.none"),
        ),
    );
  };
  return h(
    "div",
    { class: "form", key: "oppose" },
    TWO.map(one),
    row(
      flag(ui, key, "deadly", said.deadly ?? false, t("tricube.begin.deadly")),
      oneOf(ui, key, "dice", t("tricube.gm.call.dice"), DICE, dice, (each) => t(`tricube.begin.dice.${each}`)),
    ),
    say(
      ui,
      t("tricube.gm.oppose.say"),
      `oppose ${JSON.stringify({ sides, ...(said.deadly && { deadly: true }), ...(dice !== state.game.throws && { dice }) })}`,
      key,
      why,
    ),
    why && h("p", { class: "hint", key: "why" }, why),
  );
}

/**
 * An opposed roll of NPCs.
 * @param {Tale} state
 * @param {Ui} ui
 */
export function npcs(state, ui) {
  const key = `npcs-${state.scene}`;
  const said = form(ui, key);
  const names = TWO.map((at) => (said[`name-${at}`] ?? "").trim());
  const throwers = [GM, ...state.game.around.filter((who) => !state.game.cast[who]?.away)];
  const why = names[0] && names[1] && names[0] !== names[1] ? "" : t("tricube.gm.npcs.names");
  const sides = Object.fromEntries(TWO.map((at, n) => [names[n], Number(said[`dice-${at}`] ?? 2)]));
  const by = Object.fromEntries(TWO.map((at, n) => [names[n], said[`by-${at}`] ?? GM]));
  const dice = said.dice ?? state.game.throws;
  return h(
    "div",
    { class: "form", key: "npcs" },
    TWO.map((at) =>
      h(
        "div",
        { class: "begin-member", key: `npc-${at}` },
        line(ui, key, `name-${at}`, t(`tricube.gm.npcs.name.${at}`), { max: MOST_NAME }),
        stepper(ui, key, `dice-${at}`, t("tricube.gm.npcs.dice"), { first: 2, least: 1, most: MOST_DICE }),
        menu(
          ui,
          key,
          `by-${at}`,
          t("tricube.gm.npcs.by"),
          throwers.map((each) => [each, pretty(each)]),
          GM,
        ),
      ),
    ),
    row(oneOf(ui, key, "dice", t("tricube.gm.call.dice"), DICE, dice, (each) => t(`tricube.begin.dice.${each}`))),
    say(
      ui,
      t("tricube.gm.npcs.say"),
      `npcs ${JSON.stringify({ sides, by, ...(dice !== state.game.throws && { dice }) })}`,
      key,
      why,
    ),
    why && h("p", { class: "hint", key: "why" }, why),
  );
}

/**
 * An offer of karma for a complication.
 * @param {Tale} state
 * @param {Ui} ui
 */
export function offering(state, ui) {
  const key = `offer-${state.scene}`;
  const said = form(ui, key);
  const all = able(state);
  const who = said.who ?? all[0] ?? "";
  const one = state.game.cast[who];
  const told = (said.told ?? "").trim();
  const reasons = one
    ? [...one.quirks.map((each) => ["quirk", each]), ...one.afflictions.map(({ name }) => ["affliction", name])]
    : [];
  /** Only current reasons count; a quirk and an affliction never have the same name. */
  const [kind = "", because = ""] = reasons.find(([, each]) => each === said[`because-${who}`]) ?? [];
  const offer = { who, ...(told && { told }), ...(kind && { [kind]: because }) };
  const why = told || kind ? "" : t("tricube.wish.cure.instead.none");
  return h(
    "div",
    { class: "form", key: "offer", "data-enter": "" },
    menu(
      ui,
      key,
      "who",
      t("tricube.gm.offer.who"),
      all.map((each) => [each, pretty(each)]),
      who,
    ),
    reasons.length > 0 &&
      oneOf(
        ui,
        key,
        `because-${who}`,
        t("tricube.gm.offer.because"),
        ["", ...reasons.map(([, each = ""]) => each)],
        because,
        (each) => each || t("tricube.gm.offer.because.none"),
      ),
    line(ui, key, "told", t("tricube.gm.offer.told"), { max: MOST }),
    one &&
      h(
        "p",
        { class: "hint", key: "brings" },
        t(one.karma < one.karma_max ? "tricube.gm.offer.brings" : "tricube.gm.offer.brings.none", { who: pretty(who) }),
      ),
    say(ui, t("tricube.gm.offer.say"), `offer ${JSON.stringify(offer)}`, key, why),
  );
}

/**
 * A new challenge without a roll.
 * @param {Tale} state
 * @param {Ui} ui
 */
export function adding(state, ui) {
  const key = `add-${state.scene}`;
  const said = form(ui, key);
  const name = (said.name ?? "").trim();
  const difficulty = said.difficulty ?? STANDARD;
  const effort = Number(said.effort ?? 0);
  const why = !name ? t("tricube.gm.call.name.none") : state.game.listed.includes(name) ? t("tricube.begin.twice") : "";
  return h(
    "div",
    { class: "form", key: "add", "data-enter": "" },
    line(ui, key, "name", t("tricube.begin.name"), { max: MOST_NAME }),
    oneOf(ui, key, "difficulty", t("tricube.begin.difficulty"), DIFFICULTIES, difficulty, (each) =>
      t(`tricube.begin.difficulty.${each}`),
    ),
    row(
      stepper(ui, key, "effort", t("tricube.begin.effort"), { most: MOST_EFFORT }),
      flag(ui, key, "deadly", said.deadly ?? false, t("tricube.begin.deadly")),
    ),
    say(
      ui,
      t("tricube.gm.challenge.say"),
      `challenge ${JSON.stringify({ name, difficulty: Number(difficulty), ...(effort && { effort }), ...(said.deadly && { deadly: true }) })}`,
      key,
      why,
    ),
  );
}

/**
 * Afflictions healed by time, or turned into a quirk.
 * @param {Tale} state
 * @param {Ui} ui
 */
export function healing(state, ui) {
  const { cast, around } = state.game;
  const found = around.flatMap((who) =>
    cast[who] && cast[who].absent !== "dead" ? cast[who].afflictions.map((each) => ({ who, ...each })) : [],
  );
  return h(
    "ul",
    { class: "own-lines", key: "heal" },
    found.map(({ who, name, lasts }) =>
      h(
        "li",
        { key: `${who} ${name}` },
        t("tricube.wish.cure.of", { who: pretty(who), affliction: name }),
        " ",
        lasts === "permanent"
          ? decide(ui, t("tricube.gm.convert"), GM, `convert ${JSON.stringify({ who, affliction: name })}`)
          : decide(ui, t("tricube.gm.recover"), GM, `recover ${JSON.stringify({ who, affliction: name })}`),
      ),
    ),
  );
}
