/** The decisions that a closed scene left open, in a sentence. */

import { told } from "./game.js";
import { list, t } from "./texts.js";

/** @typedef {import("./wire").LeftOpen} LeftOpen */

/**
 * @param {LeftOpen|null|undefined} left
 * @param {string|null} [name] the family's name for the decision of that step
 */
export function leftSaid(left, name = left ? told(({ leftName }) => leftName(left.step)) : null) {
  if (!left) return "";
  const what = name ?? t("between.undecided.other");
  return left.waits?.length
    ? t("between.undecided", { what, names: list([...left.waits]) })
    : t("between.undecided.alone", { what });
}
