/**
 * Narration: told aloud, confirmed with one press, or written down; a Reframing is always written.
 */

import { h } from "#core/dom.js";
import { decide, fold, form, line, row, turn } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";
import { contenders } from "./asks.js";
import { formOf, isRound, marksOf, partyOf, reversedOf, staying } from "./conflict.js";
import { cardName, chip } from "./named.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("./types").Conflict} Conflict */

const MOST = 1000;
/** The word for each step. @type {Record<string, string>} */
const WORD = { tactics: "tactics", tell: "told" };

/**
 * A narration, aloud or in writing.
 * @param {Conflict} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function telling(state, ui, { actor, step }) {
  const key = formOf(state, actor, step);
  const text = (form(ui, key).text ?? "").trim();
  const word = WORD[step] ?? step;
  return [
    row(decide(ui, t(`tourists.own.${step}.aloud`), actor, word, { kind: text ? "quiet" : "offer default" })),
    h(
      "div",
      { class: "form", key: "write", "data-enter": "" },
      line(ui, key, "text", t(`tourists.own.${step}.write`), { max: MOST }),
      text && row(decide(ui, t("tourists.own.write"), actor, `${word} ${text}`, { kind: "offer default" })),
    ),
  ];
}

/**
 * The cards that mark a Loss, and its text.
 * @param {Conflict} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function losing(state, ui, { actor, step }) {
  const party = state.game.parties[partyOf(state, actor)];
  if (!party) return null;
  const cards = reversedOf(party);
  const need = marksOf(cards.length);
  const key = formOf(state, actor, step);
  const said = form(ui, key);
  /** @type {number[]} */
  const picked = said.cards ?? cards.slice(0, need).map(({ number }) => number);
  const text = (said.text ?? "").trim();
  /**
   * The selection after a press: with one to pick it is replaced, otherwise toggled.
   * @param {number} number
   */
  const after = (number) =>
    need === 1 ? [number] : picked.includes(number) ? picked.filter((each) => each !== number) : [...picked, number];
  const why = picked.length === need ? "" : t("tourists.own.losses.pick", { need, picked: picked.length });
  const plain = !text && !said.cards;
  return [
    cards.length > need &&
      h(
        "div",
        {
          class: "own-marks",
          key: "marks",
          role: "group",
          "aria-label": t("tourists.own.losses.which", { count: need, need }),
        },
        h("p", { class: "hint", key: "which" }, t("tourists.own.losses.which", { count: need, need })),
        h(
          "div",
          { class: "row", key: "cards" },
          cards.map((card) =>
            turn(
              chip(card),
              { form: key, field: "cards", value: JSON.stringify(after(card.number)), json: "" },
              {
                pressed: picked.includes(card.number),
                kind: "quiet chip",
                name: cardName(card),
                key: `mark-${card.number}`,
              },
            ),
          ),
        ),
      ),
    h(
      "div",
      { class: "form", key: "write", "data-enter": "" },
      line(ui, key, "text", t("tourists.own.losses.write"), { max: MOST }),
      row(
        decide(
          ui,
          t(text ? "tourists.own.write" : "tourists.own.losses.aloud"),
          actor,
          plain ? "losses" : `losses ${picked.join(",")} ${text}`.trim(),
          { kind: "offer default", why, hush: true },
        ),
      ),
      why && h("p", { class: "hint", key: "why" }, why),
    ),
  ];
}

/**
 * A Reframing: a player asks with a text; the GM may agree at any time, after a confirmation.
 * @param {Conflict} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function reframing(state, ui, { actor }) {
  const key = formOf(state, actor, "reframe");
  if (actor === "gm")
    return fold(ui, key, t("tourists.gm.reframe"), () => [
      h("p", { class: "hint", key: "more" }, t("tourists.gm.reframe.more")),
      row(decide(ui, t("tourists.gm.reframe.yes"), actor, "reframe yes", { kind: "offer" })),
    ]);
  const text = (form(ui, key).text ?? "").trim();
  return fold(ui, key, t("tourists.own.reframe"), () => [
    h("p", { class: "hint", key: "more" }, t("tourists.own.reframe.more")),
    h(
      "div",
      { class: "form", key: "write", "data-enter": "" },
      line(ui, key, "text", t("tourists.own.reframe.write"), { max: MOST }),
      row(
        decide(ui, t("tourists.own.reframe.ask"), actor, `reframe ${text}`, {
          kind: "offer default",
          why: text ? "" : t("tourists.own.reframe.empty"),
          hush: true,
        }),
      ),
    ),
  ]);
}

/**
 * The GM's answer to a request for a Reframing.
 * @param {Ui} ui
 * @param {Asking} asking
 */
export const granting = (ui, { actor, offers }) =>
  row(
    offers.map(({ value, choice, reason }) =>
      decide(ui, t(value === "yes" ? "tourists.gm.reframe.yes" : "tourists.gm.reframe.no"), actor, choice, {
        kind: "offer",
        why: reason,
      }),
    ),
  );

/**
 * Leave the Conflict, after a confirmation.
 * @param {Conflict} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function conceding(state, ui, { actor, offers }) {
  const why = offers[0]?.reason ?? "";
  const party = partyOf(state, actor);
  const alone = staying(state, party).length < 2;
  const draws = state.game.members[actor]?.draws ?? 0;
  return fold(ui, formOf(state, actor, "concede"), t("tourists.own.concede", { name: pretty(actor) }), () => [
    h(
      "p",
      { class: "hint", key: "more" },
      t(alone ? "tourists.own.concede.party" : "tourists.own.concede.leaves", {
        party: pretty(party),
        name: pretty(actor),
      }),
    ),
    h(
      "p",
      { class: "hint", key: "draws" },
      t("tourists.own.concede.draws", { count: Math.max(1, draws), number: Math.max(1, draws) }),
    ),
    row(decide(ui, t("tourists.own.concede.sure", { name: pretty(actor) }), actor, "concede", { kind: "offer", why })),
  ]);
}

/**
 * Set the order in which the Contenders speak by pressing one after the other.
 * @param {Conflict} state
 * @param {Ui} ui
 */
export function ordering(state, ui) {
  const key = formOf(state, "gm", "order");
  const all = contenders(state.game);
  const order =
    isRound(state) && state.step === "bid" ? state.game.round.order.filter((name) => all.includes(name)) : all;
  /** @type {string[]} */
  const said = form(ui, key).order ?? [];
  const left = all.filter((name) => !said.includes(name));
  /** @param {string[]} next */
  const data = (next) => ({ form: key, field: "order", value: JSON.stringify(next), json: "" });
  return fold(ui, key, t("tourists.gm.order"), () => [
    h("p", { class: "hint", key: "now" }, t("tourists.gm.order.now", { names: order.map(pretty).join(", ") })),
    said.length > 0 && h("p", { key: "said" }, said.map((name, at) => `${at + 1}. ${pretty(name)}`).join("  ")),
    row(
      left.map((name) => turn(pretty(name), data([...said, name]), { kind: "quiet chip", key: `next-${name}` })),
      said.length > 0 && turn(t("tourists.gm.order.again"), data([]), { key: "order-again" }),
    ),
    row(
      decide(ui, t("tourists.gm.order.say"), "gm", `order ${said.join(",")}`, {
        kind: "offer default",
        why: left.length ? t("tourists.gm.order.all") : "",
        hush: true,
      }),
    ),
  ]);
}
