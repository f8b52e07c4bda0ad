/** The triangle's cards: moves, stances, options and specials, from written choices. */

import { h } from "#core/dom.js";
import { pretty, t } from "#core/texts.js";
import { flag, hasSign, orderOf, place, sign, TYPES } from "./shapes.js";

/**
 * The content of a choice, by its type.
 * @typedef {import("#core/types.js").Open<{type: "move", action: string, element: string, variant: string} | {type: "stance", action: string, amount: number} | {type: "option", number: string} | {type: "special", text: string, action: string|undefined} | {type: "own", name: string, variant: string} | {type: "other", text: string} | {type: "surrender"} | {type: "no-stance"}>} Read
 */

/**
 * Parse a written choice.
 * @param {string} kind such as `move` or `stance`
 * @param {string} value such as `attack-high +1`, `grapple 3`, `surrender`, `none`
 * @returns {Read}
 */
export function readChoice(kind, value) {
  const [word = "", more = ""] = value.split(" ");
  const [action, element = ""] = word.split("-");
  if (kind === "move" && orderOf(action) >= 0) {
    return { type: "move", action, element, variant: more };
  }
  if (kind === "stance" && orderOf(word) >= 0) {
    return { type: "stance", action: word, amount: Number(more) };
  }
  if (kind === "stance") return { type: "no-stance" };
  if (kind === "option") return { type: "option", number: word };
  if (kind === "move" && value === "surrender") return { type: "surrender" };
  if (kind === "special")
    return { type: "special", text: value, action: TYPES.find((type) => value.endsWith(`-${type}`)) };
  if (kind === "move" && word) return { type: "own", name: word, variant: more };
  return { type: "other", text: value || kind };
}

/**
 * An element in words; one of house rules by its id.
 * @param {string} element
 */
export const elementName = (element) => (hasSign(element) ? t(element) : pretty(element));

/**
 * The words that allow this move again when at a disadvantage: Attack or High.
 * @param {string} move
 */
export function ownWords(move) {
  const { action = "", element = "", type } = readChoice("move", move);
  return type === "move" ? t("either", { one: t(action), other: elementName(element) }) : t("either.not");
}

/**
 * A choice in words: Attack High, Grapple 3, No stance.
 * @param {string} kind
 * @param {string} value
 */
export function choiceName(kind, value) {
  const choice = readChoice(kind, value);
  switch (choice.type) {
    case "move":
      return `${t(choice.action)} ${elementName(choice.element)} ${choice.variant}`.trimEnd();
    case "own":
      return `${pretty(choice.name)} ${choice.variant}`.trimEnd();
    case "stance":
      return `${t(choice.action)} ${choice.amount}`;
    case "no-stance":
      return t("stance.none");
    case "option":
      return t(`option.${choice.number}`);
    case "surrender":
      return t("surrender");
    case "special":
      return specialName(choice.text);
    default:
      return pretty(choice.text);
  }
}

/**
 * A special in words: Wax On Attack, Liquid Metal as Precise, No special.
 * @param {string} value
 */
export function specialName(value) {
  if (value === "none") return t("special.none");
  /** @param {string} name */
  const title = (name) => pretty(name).replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase());
  const [special = "", copied] = value.split(" as ").map(title);
  return copied ? t("special.copying", { special, copied }) : special;
}

/**
 * @param {string} kind
 * @param {string} value
 * @param {Read} choice
 * @param {string} name
 */
function front(kind, value, choice, name) {
  if (choice.type === "move") {
    return [
      h("span", { class: "corner" }, sign(choice.action), choice.variant),
      h("span", { class: "picture" }, sign(choice.action), place(choice.element)),
      h("span", { class: "name" }, h("b", {}, t(choice.action)), h("i", {}, elementName(choice.element))),
    ];
  }
  if (choice.type === "stance") {
    return [
      h("span", { class: "corner" }, sign(choice.action)),
      h("span", { class: "picture number" }, choice.amount),
      h("span", { class: "name" }, h("b", {}, t(choice.action))),
    ];
  }
  if (choice.type === "option") {
    return [
      h("span", { class: "picture number" }, choice.number),
      h("span", { class: "name" }, h("b", {}, t(`option.${choice.number}`))),
    ];
  }
  const star = h("span", { class: "star" }, value === "none" ? "" : "✦");
  /** @type {Record<string, import("#core/types.js").Drawn>} */
  const picture = {
    surrender: flag,
    special: choice.action ? sign(choice.action) : star,
    "no-stance": h("span", { class: "nothing" }),
  };
  return [
    h("span", { class: "picture" }, picture[choice.type] ?? null),
    h("span", { class: "name" }, h("b", {}, name)),
  ];
}

/**
 * A card of the triangle; null for another family's.
 * @param {string} kind
 * @param {string} value
 * @returns {import("#core/types.js").Card|null}
 */
export function card(kind, value) {
  const choice = readChoice(kind, value);
  if (choice.type === "other") return null;
  const name = choiceName(kind, value);
  const isOption = choice.type === "option";
  const isStance = choice.type === "stance";
  return {
    name,
    hue: choice.action,
    front: () => front(kind, value, choice, name),
    chip: () => [
      choice.action && sign(choice.action),
      choice.element && place(choice.element),
      h("span", {}, isStance ? choice.amount : name),
    ],
    ...(isOption && { words: `${choice.number}: ${name}` }),
    ...(isStance && { spoken: name }),
    ...(kind === "stance" && { row: isStance ? orderOf(choice.action) : TYPES.length }),
  };
}

/**
 * A small face-up card in a list.
 * @param {string} value
 * @param {string} [kind]
 */
export function smallCard(value, kind = "move") {
  const choice = readChoice(kind, value);
  return h(
    "li",
    { class: `small ${choice.action ?? "plain"}`, key: `small-${value}` },
    choice.action && sign(choice.action),
    choice.element && place(choice.element),
    h("span", {}, choiceName(kind, value)),
  );
}
