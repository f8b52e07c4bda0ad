/** A player's wishes between scenes: the next level, and missing texts of the sheet. */

import { h } from "#core/dom.js";
import { fold, form, line, press } from "#core/parts.js";
import { stopped, t } from "#core/texts.js";
import { lessonName, levelForm, levelSteps } from "./levels.js";
import { worded } from "./worded.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Actor} Actor */
/** @typedef {import("./wire").Choices} Lesson */

/**
 * Texts that may be missing at first, in the order of the sheet.
 * @type {Array<"belief"|"flaw"|"goal">}
 */
const TRAITS = ["belief", "flaw", "goal"];

/** A wish in words. @param {Record<string, unknown>} deed */
const wished = ({ trait, words, choices }) =>
  trait
    ? t("own.tell.trait", { trait: t(`own.trait.${trait}`), words: String(words) })
    : lessonName(/** @type {Lesson} */ (choices));

/**
 * @param {Ui} ui
 * @param {string} name
 * @returns {import("./levels.js").Settle}
 */
const settle = (ui, name) => ({
  command: (wants) => ({ command: "wish", name, wants }),
  press: (wants, why) =>
    press(
      ui,
      t("level.wish"),
      { command: "wish", name, wants },
      { place: `wish ${name}`, kind: "offer default", why, seen: true },
    ),
});

/**
 * The first missing text: written by the player, subject to the GM's consent.
 * @param {Ui} ui
 * @param {Actor} actor
 */
function words(ui, { name, sheet }) {
  const written = /** @type {import("./wire").Sheet|null} */ (sheet);
  const trait = written && TRAITS.find((each) => !worded(written[each].text));
  if (!trait) return null;
  const key = `words-${name}`;
  const said = (form(ui, key)[trait] ?? "").trim();
  return fold(ui, key, t("own.words", { trait: t(`own.trait.${trait}`) }), () =>
    h(
      "div",
      { class: "form", key: "words" },
      h("p", { class: "hint" }, t(`own.words.${trait}`)),
      line(ui, key, trait, t(`own.trait.${trait}`), { max: 200 }),
      press(
        ui,
        t("own.words.wish"),
        { command: "wish", name, wants: { do: "rewrite", name, trait, words: said } },
        {
          place: `wish ${name}`,
          kind: "offer default",
          why: said ? "" : t("own.words.none"),
          hush: true,
          seen: true,
        },
      ),
    ),
  );
}

/**
 * The part of a player's page; null if there is nothing to wish for.
 * @param {State} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
export function own(state, ui, actor) {
  const { name, wish, declined } = actor;
  const level = /** @type {import("./wire").OwnCharacter|null} */ (actor.own)?.level_up;
  const lacks = state.phase === "idle" && !wish && words(ui, actor);
  if (!level) return null;
  const title = h("h2", { id: "own-level", key: "title" }, t("level.title"));
  /** @param {import("#core/types.js").Part[]} inside */
  const part = (...inside) =>
    h("section", { class: "own-level", key: "level", "aria-labelledby": "own-level" }, title, inside);
  if (wish)
    return part(
      h("p", { key: "wish" }, t("level.wished", { lesson: wished(wish) })),
      press(ui, t("level.unwish"), { command: "wish", name }, { place: `unwish ${name}`, seen: true }),
    );
  const no =
    declined &&
    h(
      "p",
      { class: "declined", key: "declined" },
      t(declined.because ? "level.declined.because" : "level.declined", {
        lesson: wished(declined.wants),
        because: declined.because ?? "",
      }),
    );
  const steps = () =>
    level.reason
      ? h("p", { class: "hint", key: "not-yet" }, stopped(t("gm.level.not-yet", { reason: level.reason })))
      : levelSteps(state, ui, name, level, settle(ui, name));
  const next = fold(ui, levelForm(name), t(level.reason ? "level.not-yet" : "level.begin"), steps);
  return part(no, lacks, level.reason ? h("div", { class: "not-yet", key: "later" }, next) : next);
}
