/** A sample turn in a loop for passers-by, explained in three sentences. */

import { h } from "../../core/dom.js";
import { redraw } from "../../core/later.js";
import { t } from "../../core/texts.js";

const PICTURES = [1, 2, 3];

let timer = 0;

/**
 * @param {import("../../core/types").Rerun} turn
 */
export function rerun({ steps, lasts, draw }) {
  const gone = performance.now() % lasts;
  const now = steps.filter(({ at }) => at <= gone).length - 1;
  const { state, picture } = steps[Math.max(0, now)];
  clearTimeout(timer);
  timer = setTimeout(redraw, (steps[now + 1]?.at ?? lasts) - gone + 1);
  return h(
    "section",
    { class: "rerun", key: "rerun", "aria-label": t("between.pictures") },
    h("div", { class: "shown", "aria-hidden": "true" }, draw(state)),
    h(
      "ol",
      {},
      PICTURES.map((nth) =>
        h(
          "li",
          { class: nth === picture ? "now" : "", key: `${nth}` },
          h("b", {}, t(`between.picture.${nth}`)),
          h("span", {}, " ", t(`between.picture.${nth}.more`)),
        ),
      ),
    ),
  );
}
