// @ts-nocheck
/** The story between scenes: countdowns, what is at stake, and rests. */

import { h } from "../../core/dom.js";
import { clock } from "../../core/story.js";
import { pretty, t } from "../../core/texts.js";
import { sign, TYPES } from "../../games/triangle/shapes.js";
import { party } from "../../games/triangle/gm/cast.js";
import { fold, form, line, panel, row, tell, turn } from "../../core/parts.js";

const BOXES = [4, 5, 6, 7, 8];
const NEW = "countdown";

const deedsOf = (ui, kind) => ui.deeds.filter((deed) => deed.kind === kind);

function countdown(ui, each) {
  const about = ({ value }) => value.slice(value.indexOf(" ") + 1) === each.name;
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
    row(deedsOf(ui, "countdown").filter(about).map(mark)),
  );
}

/** Clocks, with a form for a new one. */
export function countdownPanel(state, ui) {
  if (!state.story) return null;
  const name = (form(ui, NEW).name ?? "").trim();
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
    state.story.countdowns.map((each) => countdown(ui, each)),
    h("div", { class: "form", key: "new" }, line(ui, NEW, "name", t("gm.countdown.name"), { max: 64 }),
      h("p", { class: "hint", key: "boxes" }, t("gm.countdown.boxes")), row(BOXES.map(make))),
  );
}

/** What the conflict is about. */
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

/** The types that a rest asks for, by name: from `breather attack Marit; defend Odo`. */
function typesOf(value) {
  const clauses = value.split(" ").slice(1).join(" ").split(";").map((clause) => clause.trim()).filter(Boolean);
  return clauses.map((clause) => [clause.slice(clause.indexOf(" ") + 1), clause.split(" ")[0]]);
}

/** The types among which a character can choose. */
function restTypes({ energy, max }, kind) {
  const lowest = Math.min(...TYPES.map((type) => max[type]));
  return TYPES.filter((type) => (kind === "short" ? max[type] === lowest : energy[type] < max[type]));
}

function restForm(state, ui, { value, reason, deed }) {
  const kind = value.split(" ")[0];
  const name = `rest-${kind}`;
  const wanted = typesOf(value).map(([who, type]) => [who, form(ui, name)[who] ?? type]);
  const written = wanted.length ? `rest ${kind} ${wanted.map(([who, type]) => `${type} ${who}`).join("; ")}` : deed;
  const choice = (who, now) => (type) =>
    turn([sign(type, t(`${type}.letter`)), t(type)], { form: name, field: who, value: type }, { pressed: now === type, kind: "quiet chip" });
  return h(
    "div",
    { class: "rest", key: name },
    h("h3", {}, t(`gm.rest.${kind}`)),
    h("p", { class: "hint" }, t(`gm.rest.${kind}.help`)),
    !reason && wanted.map(([who, type]) =>
      h("div", { class: "row named", key: `rest-${who}`, role: "group", "aria-label": pretty(who) },
        h("b", {}, pretty(who)), restTypes(party(state)[who], kind).map(choice(who, type)))),
    tell(ui, t("gm.rest.take", { rest: t(`gm.rest.${kind}`) }), written, { place: name, kind: "offer", why: reason, after: name }),
  );
}

/** Rests with their types. */
export function restPanel(state, ui) {
  const rests = deedsOf(ui, "rest");
  if (!rests.length) return null;
  return panel("rests", t("gm.rests"), fold(ui, "rests", t("gm.rests.open"), () => rests.map((each) => restForm(state, ui, each))));
}
