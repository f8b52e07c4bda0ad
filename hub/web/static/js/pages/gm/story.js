/** The story between scenes: countdowns and stakes. */

import { h } from "../../core/dom.js";
import { form, line, panel, row, tell } from "../../core/parts.js";
import { clock } from "../../core/story.js";
import { t } from "../../core/texts.js";

/** Deed → its text. @type {Record<string, string>} */
const MARKS = { "mark-countdown": "mark", "unmark-countdown": "unmark", "erase-countdown": "erase" };
const NEW = "countdown";

/** @typedef {import("../../core/types").Deed} Deed */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * @param {Ui} ui
 * @param {import("../../core/wire").CountdownView} each
 */
function countdown(ui, each) {
  const does = Object.keys(MARKS);
  const deeds = ui.deeds.filter((/** @type {Deed} */ { deed }) => does.includes(deed.do) && deed.name === each.name);
  /** @param {Deed} offer */
  const mark = ({ deed, reason }) =>
    tell(ui, t(`countdown.${MARKS[deed.do]}`), deed, {
      kind: deed.do === "mark-countdown" ? "offer" : "quiet",
      why: reason,
      hush: true,
    });
  return h(
    "div",
    { class: "countdown", key: `countdown-${each.id}` },
    h("ul", { class: "clocks" }, clock(each)),
    row(deeds.map(mark)),
  );
}

/**
 * The countdowns, with a form for a new one.
 * @param {State} state
 * @param {Ui} ui
 */
export function countdownPanel(state, ui) {
  if (!state.story) return null;
  const name = (form(ui, NEW).name ?? "").trim();
  /** @type {import("../../core/wire").Field[]} */
  const fields = ui.deeds.find((/** @type {Deed} */ { deed }) => deed.do === "begin-countdown")?.fields ?? [];
  const boxes = fields.find(({ of }) => of === "boxes")?.options ?? [];
  /** @param {import("../../core/wire").Option} option */
  const make = ({ value }) => {
    const boxes = Number(value);
    return tell(
      ui,
      boxes,
      { do: "begin-countdown", name, boxes },
      {
        place: `countdown new ${boxes}`,
        why: name ? "" : t("gm.countdown.nameless"),
        hush: true,
        name: t("countdown.new", { boxes }),
        after: NEW,
      },
    );
  };
  return panel(
    "countdowns",
    t("gm.countdowns"),
    state.story.countdowns.map((each) => countdown(ui, each)),
    h(
      "div",
      { class: "form", key: "new" },
      line(ui, NEW, "name", t("gm.countdown.name"), { max: 64 }),
      h("p", { class: "hint", key: "boxes" }, t("gm.countdown.boxes")),
      row(boxes.map(make)),
    ),
  );
}

/**
 * The stakes of the current or next scene; null in a story without stakes.
 * @param {State} state
 * @param {Ui} ui
 */
export function stakesPanel(state, ui) {
  const offer = ui.deeds.find((/** @type {Deed} */ { deed }) => deed.do === "stakes");
  if (!state.story || !offer) return null;
  const { stakes } = state.story;
  const words = (form(ui, "stakes").words ?? stakes).trim();
  return panel(
    "stakes",
    t("gm.stakes"),
    h(
      "div",
      { class: "form", "data-enter": "", key: "stakes" },
      line(ui, "stakes", "words", t("gm.stakes"), { max: offer.fields?.[0]?.most, first: stakes }),
      tell(
        ui,
        words || !stakes ? t("gm.stakes.set") : t("gm.stakes.none"),
        { do: "stakes", words },
        {
          place: "stakes",
          kind: "quiet",
          why: words === stakes ? t(words ? "gm.stakes.same" : "gm.stakes.empty") : "",
          hush: !words,
          after: "stakes",
        },
      ),
    ),
  );
}
