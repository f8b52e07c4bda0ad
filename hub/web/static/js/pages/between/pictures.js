/** Explains the game in three pictures, where no sample turn is available. */

import { h, s } from "../../core/dom.js";
import { lyingCard } from "../../core/lying.js";
import { circle, pentagon } from "../../core/shapes.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Part} Part */

/** @param {import("../../core/types").Drawn} shape */
const plain = (shape) =>
  lyingCard(h("span", { class: "picture" }, s("svg", { class: "sign", viewBox: "0 0 24 24" }, shape)));
/** Cards of no particular game: the winning and the losing one. */
const PLAIN = [plain(pentagon), plain(circle)];

/**
 * @param {number} number
 * @param {Part[]} inside
 */
const picture = (number, ...inside) =>
  h(
    "li",
    { class: `shot shot-${number}`, key: `shot-${number}` },
    h("div", { class: "shown", "aria-hidden": "true" }, inside),
    h("p", {}, h("b", {}, t(`between.picture.${number}`)), h("span", {}, " ", t(`between.picture.${number}.more`))),
  );

/** Choose in secret, reveal at once, see the outcome. */
export function pictures() {
  const [better, worse] = PLAIN;
  return h(
    "ol",
    { class: "pictures", key: "pictures", "aria-label": t("between.pictures") },
    picture(1, h("div", { class: "pad left" }, lyingCard()), h("div", { class: "pad right" }, lyingCard())),
    picture(2, h("div", { class: "left" }, better), h("div", { class: "right" }, worse)),
    picture(
      3,
      h("div", { class: "won" }, better),
      h("span", { class: "over" }, "\u203a"),
      h("div", { class: "beaten" }, worse),
      h("span", { class: "tokens" }, h("i"), h("i"), h("i"), h("i"), h("i")),
    ),
  );
}
