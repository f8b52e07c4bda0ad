/** What a player can do for a character of their own between scenes: wish for its next level. */

import { h } from "../../core/dom.js";
import { fold, press } from "../../core/parts.js";
import { t } from "../../core/texts.js";
import { lessonName, levelForm, levelSteps } from "./levels.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {import("../../core/types").Actor} Actor */
/** @typedef {import("./wire").Choices} Lesson */

/** What is wished for, in words. @param {Record<string, unknown>} deed */
const wished = ({ choices }) => lessonName(/** @type {Lesson} */ (choices));

/**
 * @param {Ui} ui
 * @param {string} name
 * @returns {import("./levels.js").Settle}
 */
const settle = (ui, name) => ({
  command: (wants) => ({ command: "wish", name, wants }),
  press: (wants, why) => press(ui, t("level.wish"), { command: "wish", name, wants }, { place: `wish ${name}`, kind: "offer default", why, seen: true }),
});

/**
 * The part of a player's page; null where there is nothing to wish for.
 * @param {State} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
export function own(state, ui, actor) {
  const { name, wish, declined } = actor;
  const level = /** @type {import("./wire").OwnCharacter|null} */ (actor.own)?.level_up;
  if (!level) return null;
  const title = h("h2", { id: "own-level", key: "title" }, t("level.title"));
  /** @param {import("../../core/types").Part[]} inside */
  const part = (...inside) => h("section", { class: "own-level", key: "level", "aria-labelledby": "own-level" }, title, inside);
  if (wish)
    return part(
      h("p", { key: "wish" }, t("level.wished", { lesson: wished(wish) })),
      press(ui, t("level.unwish"), { command: "wish", name }, { place: `unwish ${name}`, seen: true }),
    );
  if (level.reason) return part(h("p", { class: "hint", key: "not-yet" }, t("gm.level.not-yet", { reason: level.reason })));
  return part(
    declined && h("p", { class: "declined", key: "declined" },
      t(declined.because ? "level.declined.because" : "level.declined", { lesson: wished(declined.wants), because: declined.because ?? "" })),
    fold(ui, levelForm(name), t("level.begin"), () => levelSteps(state, ui, name, level, settle(ui, name))),
  );
}
