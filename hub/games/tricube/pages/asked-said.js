/**
 * Decisions about a roll: its price, the fate of a defeated character, a complication, or what
 * became of a foe.
 */

import { h } from "#core/dom.js";
import { choose, decide, form, line, row, turn } from "#core/parts.js";
import { t } from "#core/texts.js";
import { formOf } from "./asked-dice.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("./types").Tale} Tale */

/** Limit for a text, so that the whole choice stays within its limit. */
const MOST = 300;
const MOST_NAME = 100;
const LASTS = ["longer", "scene"];

/**
 * A toggle button.
 * @param {Ui} ui
 * @param {string} key
 * @param {string} field
 * @param {boolean} now
 * @param {string} label
 */
export const flag = (ui, key, field, now, label) =>
  turn(
    label,
    { form: key, field, value: JSON.stringify(!now), json: "" },
    { pressed: now, kind: "quiet chip", key: `flag-${field}` },
  );

/**
 * The price of a failure; the usual one takes one press.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function charging(state, ui, { actor }) {
  const rolling = state.game.rolling;
  const roll = rolling?.rolls[rolling.now ?? ""];
  const critical = roll?.outcome === "critical";
  const key = formOf(state, rolling?.now ?? "", "price");
  const said = form(ui, key);
  const resolve = said.resolve ?? false;
  const complication = (said.complication ?? "").trim();
  const told = (said.told ?? "").trim();
  const usual = rolling?.what === "opposed" ? "nothing" : critical ? "two" : "one";
  const price = { ...(resolve && { resolve }), ...(complication && { complication }), ...(told && { told }) };
  const why = Object.keys(price).length ? "" : t("tricube.gm.price.none");
  return [
    row(decide(ui, t(`tricube.gm.price.${usual}`), actor, "price", { kind: why ? "offer default" : "quiet" })),
    h(
      "div",
      { class: "form", key: "other", role: "group", "aria-label": t("tricube.gm.price.other"), "data-enter": "" },
      h("p", { class: "hint", key: "hint" }, t("tricube.gm.price.other")),
      row(flag(ui, key, "resolve", resolve, t(critical ? "tricube.gm.price.resolve.two" : "tricube.gm.price.resolve"))),
      line(ui, key, "complication", t("tricube.gm.price.complication"), { max: MOST }),
      line(ui, key, "told", t("tricube.gm.price.told"), { max: MOST }),
      row(
        decide(ui, t("tricube.gm.price.say"), actor, `price ${JSON.stringify(price)}`, {
          kind: "offer default",
          why,
          hush: true,
        }),
      ),
    ),
  ];
}

/**
 * The fate of a defeated character.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function befalling(state, ui, { actor }) {
  const rolling = state.game.rolling;
  const name = rolling?.now ?? "";
  const key = formOf(state, name, "fate");
  const said = form(ui, key);
  const permanent = rolling?.rolls[name]?.outcome === "critical";
  const deadly = rolling?.challenge
    ? (state.game.challenges[rolling.challenge]?.deadly ?? false)
    : (rolling?.deadly ?? false);
  const affliction = (said.affliction ?? "").trim();
  const lasts = said.lasts ?? "longer";
  const fatal = deadly && (said.fatal ?? false);
  const stays = !fatal && (said.stays ?? false);
  const fate = { affliction, ...(!permanent && !fatal && { lasts }), ...(fatal && { fatal }), ...(stays && { stays }) };
  const now = { [key]: { lasts, ...said } };
  return h(
    "div",
    { class: "form", key: "fate", "data-enter": "" },
    line(ui, key, "affliction", t("tricube.own.fate.affliction"), { max: MOST_NAME }),
    !permanent &&
      !fatal &&
      h(
        "div",
        { class: "row", key: "lasts", role: "group", "aria-label": t("tricube.field.lasts") },
        LASTS.map((each) =>
          choose({ ...ui, forms: { ...ui.forms, ...now } }, key, "lasts", each, t(`tricube.lasts.${each}`), {
            kind: "quiet chip",
          }),
        ),
      ),
    row(
      !fatal && flag(ui, key, "stays", stays, t("tricube.own.fate.stays")),
      deadly && flag(ui, key, "fatal", fatal, t("tricube.own.fate.fatal")),
    ),
    !deadly && h("p", { class: "hint", key: "why" }, t("tricube.own.fate.not-deadly")),
    row(
      decide(ui, t("tricube.own.fate.say"), actor, `fate ${JSON.stringify(fate)}`, {
        kind: "offer default",
        why: affliction ? "" : t("tricube.own.fate.none"),
        hush: true,
      }),
    ),
  );
}

/**
 * A complication instead of karma that a character does not have.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function instead(state, ui, { actor }) {
  const key = formOf(state, actor, "instead");
  const text = (form(ui, key).text ?? "").trim();
  return h(
    "div",
    { class: "form", key: "instead", "data-enter": "" },
    line(ui, key, "text", t("tricube.field.complication"), { max: MOST }),
    row(
      decide(ui, t("tricube.gm.instead.offer"), actor, `complication ${text}`, {
        kind: "offer default",
        why: text ? "" : t("tricube.wish.cure.instead.none"),
        hush: true,
      }),
      decide(ui, t("tricube.gm.instead.no"), actor, "complication", { kind: "quiet" }),
    ),
  );
}

/**
 * What becomes of a foe: told aloud, or written.
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function telling(state, ui, { actor }) {
  const key = formOf(state, actor, "told");
  const text = (form(ui, key).text ?? "").trim();
  return [
    row(decide(ui, t("tricube.own.victor.aloud"), actor, "told", { kind: text ? "quiet" : "offer default" })),
    h(
      "div",
      { class: "form", key: "write", "data-enter": "" },
      line(ui, key, "text", t("tricube.own.victor.write"), { max: MOST }),
      text && row(decide(ui, t("tricube.own.victor.say"), actor, `told ${text}`, { kind: "offer default" })),
    ),
  ];
}
