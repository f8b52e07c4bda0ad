/** Cards laid at the reader, entered by number, or drawn by the hub; or none. */

import { h } from "#core/dom.js";
import { choose, decide, fold, form, row } from "#core/parts.js";
import { knows, t } from "#core/texts.js";
import { formOf } from "./conflict.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("./types").Conflict} Conflict */

const WAYS = ["upright", "reversed"];
const HIGHEST = 9999;

/**
 * Whether the actor has a working reader.
 * @param {Conflict} state
 * @param {string} actor
 */
const hasReader = ({ seats }, actor) =>
  seats.some(({ characters, reader }) => characters.includes(actor) && reader === "ok");

/**
 * A form for a card's number and which way up it is.
 * @param {Conflict} state
 * @param {Ui} ui
 * @param {string} actor
 * @param {string} step
 */
function byNumber(state, ui, actor, step) {
  const key = formOf(state, actor, step);
  const { number = "", way = "" } = form(ui, key);
  const said = number.trim();
  const right = /^(0|[1-9][0-9]{0,3})$/.test(said) && Number(said) <= HIGHEST;
  const why = !right ? t("tourists.own.lay.number") : way ? "" : t("tourists.own.lay.way");
  const card = t(`tourists.own.lies.${way || "upright"}`, { card: t("tourists.own.number", { number: said }) });
  return h(
    "div",
    { class: "form", key: "by-number", "data-enter": "" },
    h(
      "label",
      { class: "line", key: "number" },
      h("span", {}, t("tourists.own.lay.which")),
      h("input", {
        type: "text",
        inputmode: "numeric",
        maxlength: 4,
        autocomplete: "off",
        "data-form": key,
        "data-field": "number",
        key: `number-${key}`,
      }),
    ),
    h(
      "div",
      { class: "row switch", key: "way", role: "group", "aria-label": t("tourists.own.lay.way") },
      WAYS.map((each) => choose(ui, key, "way", each, t(`tourists.own.way.${each}`), { key: `${key} ${each}` })),
    ),
    row(
      decide(ui, why ? t("tourists.own.lay") : t("tourists.own.lay.it", { card }), actor, `drawn ${said} ${way}`, {
        kind: "offer default",
        why,
        hush: true,
      }),
    ),
  );
}

/**
 * @param {Conflict} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Asking} asking
 */
export function laying(state, ui, { actor, step, offers }) {
  const byHand = offers.some(({ choice }) => choice === "drawn");
  const others = offers.filter(({ choice }) => choice !== "drawn");
  const key = `by-number-${formOf(state, actor, step)}`;
  const number = () => byNumber(state, ui, actor, step);
  /** @param {import("#core/types.js").Offer} offer */
  const button = ({ choice, reason }) => {
    const name =
      choice === "draw"
        ? t("tourists.own.draw")
        : t(knows(`tourists.own.pass.${step}`) ? `tourists.own.pass.${step}` : "tourists.own.pass");
    return decide(ui, name, actor, choice, { kind: choice === "draw" ? "offer default" : "offer", why: reason });
  };
  return [
    byHand &&
      hasReader(state, actor) && [
        h("p", { class: "hint", key: "at-reader" }, t("tourists.own.lay.reader")),
        fold(ui, key, t("tourists.own.lay.type"), number),
      ],
    byHand && !hasReader(state, actor) && number(),
    others.length > 0 && row(others.map(button)),
  ];
}
