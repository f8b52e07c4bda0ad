/** The story between scenes: countdowns, and what is at stake. */

import { h } from "../../core/dom.js";
import { clock } from "../../core/story.js";
import { t } from "../../core/texts.js";
import { form, line, panel, row, tell } from "../../core/parts.js";

const BOXES = [4, 5, 6, 7, 8];
const NEW = "countdown";

/** @typedef {import("../../core/types").Deed} Deed */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * @param {Ui} ui
 * @param {import("../../core/wire").CountdownView} each
 */
function countdown(ui, each) {
  /** @type {Deed[]} */
  const deeds = ui.deeds.filter((/** @type {Deed} */ { kind }) => kind === "countdown");
  /** @param {Deed} deed */
  const about = ({ value }) => value.slice(value.indexOf(" ") + 1) === each.name;
  /** @param {Deed} offer */
  const mark = ({ deed, value, reason }) => {
    const word = value.split(" ")[0];
    return tell(ui, t(`countdown.${word}`), deed, {
      kind: word === "mark" ? "offer" : "quiet",
      why: reason,
      hush: true,
    });
  };
  return h(
    "div",
    { class: "countdown", key: `countdown-${each.id}` },
    h("ul", { class: "clocks" }, clock(each)),
    row(deeds.filter(about).map(mark)),
  );
}

/**
 * Clocks, with a form for a new one.
 * @param {State} state
 * @param {Ui} ui
 */
export function countdownPanel(state, ui) {
  if (!state.story) return null;
  const name = (form(ui, NEW).name ?? "").trim();
  /** @param {number} boxes */
  const make = (boxes) =>
    tell(ui, boxes, `countdown new ${boxes} ${name}`, {
      place: `countdown new ${boxes}`,
      why: name ? "" : t("gm.countdown.nameless"),
      hush: true,
      name: t("countdown.new", { boxes }),
      after: NEW,
    });
  return panel(
    "countdowns",
    t("gm.countdowns"),
    state.story.countdowns.map((/** @type {import("../../core/wire").CountdownView} */ each) => countdown(ui, each)),
    h("div", { class: "form", key: "new" }, line(ui, NEW, "name", t("gm.countdown.name"), { max: 64 }),
      h("p", { class: "hint", key: "boxes" }, t("gm.countdown.boxes")), row(BOXES.map(make))),
  );
}

/**
 * What the conflict is about.
 * @param {State} state
 * @param {Ui} ui
 */
export function stakesPanel(state, ui) {
  if (!state.story) return null;
  const { stakes } = state.story;
  const words = (form(ui, "stakes").words ?? stakes).trim();
  return panel(
    "stakes",
    t("gm.stakes"),
    h(
      "div",
      { class: "form", "data-enter": "", key: "stakes" },
      line(ui, "stakes", "words", t("gm.stakes"), { max: 300, first: stakes }),
      tell(ui, words || !stakes ? t("gm.stakes.set") : t("gm.stakes.none"), `stakes ${words}`.trim(), {
        place: "stakes",
        kind: "quiet",
        why: words === stakes ? t(words ? "gm.stakes.same" : "gm.stakes.empty") : "",
        hush: !words,
        after: "stakes",
      }),
    ),
  );
}
