/** The GM's panel for the story: who takes part, scenes to start, rests, countdowns. */

import { h } from "./dom.js";
import { clock } from "./story.js";
import { pretty, t } from "./texts.js";

const BOXES = [4, 5, 6, 7, 8];
/** Where in the panel a deed has its button. */
const PART = { countdown: "countdowns", npc: "casting", dismiss: "casting" };

/** Player characters that are alive, and whom the GM plays. */
function people(state, ui) {
  const { party } = state.story;
  const players = Object.keys(party).filter((name) => !party[name].dead);
  return { players, others: ui.cast.filter((name) => !(name in party)) };
}

/** The description of a scene for the command, from what was picked. */
export function wish(state, ui, type, words) {
  const { players, others } = people(state, ui);
  const picked = (names) => names.filter((name) => ui.picks.has(name));
  const some = { players: picked(players), others: picked(others) };
  if (type === "problem") return { type, problem: words, interested: some.players };
  const sides = some.players.length || some.others.length ? some : {};
  return { type, sides, stakes: words, lethal: ui.picks.has("*lethal"), minor: ui.picks.has("*minor") };
}

const button = (name, data, off = false, title = null, pressed = null) =>
  h("button", { type: "button", class: "quiet", disabled: off, title, "aria-pressed": pressed, ...data }, name);

function scenes(state, ui) {
  const { players, others } = people(state, ui);
  const toggle = (name, label) =>
    button(label, { "data-pick": name, key: `pick-${name}` }, false, null, String(ui.picks.has(name)));
  return h(
    "div",
    { class: "telling-part", key: "scenes" },
    h("h3", {}, t("tell.scene")),
    h("div", { class: "row" }, [...players, ...others].map((name) => toggle(name, pretty(name)))),
    h("p", { class: "hint" }, t("tell.scene.help")),
    h(
      "div",
      { class: "row" },
      h("input", { id: "scene-words", maxlength: 300, "aria-label": t("tell.words"), placeholder: t("tell.words") }),
      toggle("*lethal", t("tell.lethal")),
      toggle("*minor", t("tell.minor")),
      button(t("tell.conflict"), { "data-stage": "conflict", key: "conflict" }),
      button(t("tell.problem"), { "data-stage": "problem", key: "problem" }),
    ),
  );
}

function deedButton({ deed, kind, value, reason }) {
  const label = t(`deed.${kind}`, { name: value.split({ rest: " ", npc: ";" }[kind])[0] });
  return button(label, { "data-deed": deed, key: deed }, Boolean(reason), reason || deed);
}

function countdowns(state, ui) {
  const nameOf = (value) => value.slice(value.indexOf(" ") + 1);
  const marks = (name) => ui.deeds.filter(({ kind, value }) => kind === "countdown" && nameOf(value) === name);
  return h(
    "div",
    { class: "telling-part", key: "countdowns" },
    h("h3", {}, t("tell.countdowns")),
    state.story.countdowns.map((each) =>
      h(
        "div",
        { class: "row", key: each.id },
        h("ul", { class: "clocks" }, clock(each)),
        marks(each.name).map(({ deed, value, reason }) =>
          button(t(`countdown.${value.split(" ")[0]}`), { "data-deed": deed, key: deed }, Boolean(reason), reason),
        ),
      ),
    ),
    h(
      "div",
      { class: "row", key: "new" },
      h("input", { id: "countdown-name", maxlength: 64, "aria-label": t("tell.name"), placeholder: t("tell.name") }),
      BOXES.map((boxes) => button(t("countdown.new", { boxes }), { "data-boxes": boxes, key: `boxes-${boxes}` })),
    ),
  );
}

/** NPCs that come and go, at any time. */
function casting(deeds) {
  return h(
    "div",
    { class: "telling-part", key: "casting" },
    h("h3", {}, t("tell.npcs")),
    deeds.length > 0 && h("div", { class: "row" }, deeds.map(deedButton)),
    h(
      "div",
      { class: "row", key: "npc" },
      h("input", { id: "npc-words", maxlength: 500, "aria-label": t("tell.npc"), placeholder: t("tell.npc") }),
      button(t("tell.npc.new"), { "data-npc": "", key: "npc-new" }),
    ),
  );
}

/** The panel; null at a table without a story. */
export function storyPanel(state, ui) {
  if (!state?.story) return null;
  const deedsOf = (part) => ui.deeds.filter(({ kind }) => (PART[kind] ?? "between") === part);
  const between = deedsOf("between");
  return h(
    "section",
    { class: "telling", key: "telling", "aria-label": t("story") },
    h("h2", { class: "unseen" }, t("story")),
    state.phase === "idle" && scenes(state, ui),
    between.length > 0 &&
      h(
        "div",
        { class: "telling-part", key: "deeds" },
        h("h3", {}, t("tell.between")),
        h("div", { class: "row" }, between.map(deedButton)),
      ),
    casting(deedsOf("casting")),
    countdowns(state, ui),
  );
}
