/** How many of a party's cards lie reversed. */

import { h } from "#core/dom.js";
import { t } from "#core/texts.js";

/** This many reversed cards in a round wipe a party out. */
const WIPES_OUT = 5;

/** The number of reversed cards, of five. @param {number} count */
export function meter(count) {
  if (!count) return null;
  const said = t("tourists.stage.reversed", { count, number: count });
  const pips = Array.from({ length: WIPES_OUT }, (_, at) =>
    h("i", { class: at < count ? "on" : "", key: `pip-${at}` }),
  );
  return h(
    "p",
    { class: `meter ${count >= WIPES_OUT - 1 ? "near" : ""}`, key: "meter", role: "img", "aria-label": said },
    pips,
    h("span", {}, `${count}/${WIPES_OUT}`),
  );
}
