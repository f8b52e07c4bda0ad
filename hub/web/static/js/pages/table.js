// @ts-nocheck
/**
 * The virtual table's page: every seat's reader and hand, and beside them the GM's panels with
 * the decisions of all seats.
 */

import { changeAloud, sayAloud } from "../core/aloud.js";
import { banners } from "../core/banners.js";
import { Bench } from "./table/bench.js";
import { samePhase } from "../core/besides.js";
import { Commander } from "../core/commands.js";
import { Connection } from "../core/connection.js";
import { h, morph } from "../core/dom.js";
import { letDrag } from "../core/drag.js";
import { askedPanel } from "./gm/asked.js";
import { Desk, justDone, quick, tabBar, tabsOf, TABS } from "./gm/desk.js";
import { begin } from "./gm/scene.js";
import { seatPanel } from "./table/hands.js";
import { guardPresses } from "../core/guard.js";
import { letKeys } from "./table/keys.js";
import { isProblem, problemView } from "../games/triangle/problem.js";
import { explained, loadReasons } from "../core/reasons.js";
import { prompt } from "../games/triangle/say.js";
import { Score } from "../core/score.js";
import { miniature } from "./stage.js";
import { readState } from "../core/state.js";
import { storyLine } from "../core/story.js";
import { loadTexts, t } from "../core/texts.js";

const root = document.getElementById("root");
const desk = new Desk(document.body, render, document.getElementById("sheets"));
const { ui } = desk;
const bench = new Bench(ui, (message) => connection.send(message), render);
const wide = matchMedia("(min-width: 64rem)");
/** What is drawn, and the newest that was told: while cards turn over they differ. */
let state = null;
let told = null;
let status = "opening";

/** Where the focus was when its element went away: a seat, or "" for the GM's panels. */
let homeless = null;

/** Draw, and give the focus a new home if the drawing has taken its old one. */
function render() {
  const held = document.activeElement;
  const inside = held !== document.body && root.contains(held);
  const seat = held?.closest?.("[data-panel]")?.dataset.panel ?? "";
  draw();
  if (inside && (!held.isConnected || held.disabled)) homeless = seat;
  else if (inside) homeless = null;
  const home = homeless !== null && !ui.sheet && newHome(homeless);
  if (home) {
    home.focus();
    homeless = null;
  }
}

/** What somebody without a mouse will want next: the seat's reader, or the sensible answer. */
function newHome(seat) {
  const panel = `[data-panel="${seat}"]`;
  const open = ":not(:disabled, [aria-disabled])";
  let homes = [`.asked .default${open}`, `.asked .offer${open}`];
  if (state?.phase === "sealed") homes = [".fits[data-card]", "[data-card]:not(:disabled)"];
  if (seat) homes = [`${panel} [data-lift]`, `${panel} [data-put]:not(:disabled)`, `${panel} [data-card]:not(:disabled)`];
  return homes.map((found) => root.querySelector(found)).find(Boolean);
}

function draw() {
  // On a wide screen seats and decisions are never hidden, and so have no tab.
  const names = tabsOf(state, ui.wide);
  const shown = names.includes(ui.tab) ? ui.tab : names[0];
  const parts = ui.wide ? [seats(), side(names, shown)] : shown === "now" ? [now(), seats()] : [tabPanel(shown)];
  morph(
    root,
    h(
      "div",
      {},
      banners(state, status, ui.console.hindrances),
      bar(),
      h("main", { class: `table-parts ${status === "open" ? "" : "cut-off"}`, key: "main" }, parts),
      !ui.wide && h("footer", { class: "gm dock", key: "dock" }, outcome(), justDone(ui), quick(state, ui), tabBar(ui, shown, names)),
    ),
  );
  desk.drawn();
}

function bar() {
  const { head, more } = prompt(state);
  const title = state?.title || t("table.title");
  const display = h("a", { href: "display", target: "_blank", rel: "noopener", key: "display" }, t("table.display"));
  return h(
    "header",
    { class: "bar", key: "bar" },
    h("div", { class: "now" }, h("p", { class: "eyebrow" }, title), h("h1", {}, head), h("p", {}, more)),
    ui.wide && storyLine(state),
    display,
  );
}

function outcome() {
  const { text, bad } = desk.told();
  return h("p", { class: `outcome ${bad ? "bad" : ""}`, role: "status", key: "outcome" }, text);
}

/** The decisions of all seats; while there are none, what else the table waits for. */
function now() {
  if (!state) return null;
  if (state.phase === "idle") return !ui.wide && column("now", begin(state, ui));
  const nothing = () => h("p", { class: "nothing-now", key: "nothing" }, t(state.phase === "sealed" ? "table.sealed" : "table.none"));
  return column("now", askedPanel(state, ui, false) ?? nothing(), askedPanel(state, ui, true));
}

const column = (name, ...inside) => h("div", { class: "gm", key: `column-${name}` }, h("div", { class: `column ${name}`, key: name }, inside));

const tabPanel = (name) => column(name, state && TABS[name](state, ui));

/** Everything of the GM's, beside the seats. */
function side(names, shown) {
  return h(
    "aside",
    { class: "gm desk", key: "desk", "aria-label": t("gm.console") },
    quick(state, ui),
    outcome(),
    justDone(ui),
    now(),
    tabBar(ui, shown, names),
    tabPanel(shown),
  );
}

function seats() {
  return h(
    "div",
    { class: "seats-part", key: "seats" },
    h("h2", { class: "unseen", key: "title" }, t("seats")),
    h("div", { class: "panels", key: "panels" }, ui.readers.map((reader) => seatPanel(state, ui, reader))),
    h("p", { class: "help", key: "help" }, t("hand.help")),
    !ui.wide && storyLine(state),
    state?.game?.characters && miniature(state),
    isProblem(state?.game) && problemView(state),
  );
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button && !button.disabled) bench.click(button.dataset, event);
});

const handlers = {
  state: (frame) => {
    const before = told;
    told = readState(frame);
    if (before && told.step !== before.step) ui.told = {};
    sayAloud(changeAloud(before, told));
    if (!samePhase(ui.commander.basis, told.basis)) ui.besides.clear();
    ui.commander.onState(told);
    state = desk.state = told;
  },
  bench: (frame) => bench.take(frame),
  tell: (frame) => bench.tell(frame),
  reply: (frame) => bench.onReply(frame) || ui.commander.onReply(frame),
};

await loadTexts();
await loadReasons();
const score = new Score({
  show: (frame) => {
    state = desk.state = readState(frame);
    render();
  },
  tell: (given) => {
    const frame = explained(given);
    handlers[frame.type]?.(frame);
    desk.take(frame);
    render();
  },
});
const connection = new Connection(
  "ws/table",
  (frame) => score.take(frame),
  (now, code) => {
    if (now !== "open") bench.forget();
    status = now;
    if (now === "open") score.join();
    if (now !== "open") ui.besides.clear();
    ui.commander.onStatus(now, code);
    render();
  },
);
ui.commander = new Commander(connection, { onChange: () => desk.onOutcome() });
wide.addEventListener("change", () => {
  ui.wide = wide.matches;
  render();
});
ui.wide = wide.matches;
guardPresses(document.body);
letDrag(root, bench.lay);
letKeys(root, { lay: bench.lay, lift: bench.lift, drop: bench.putBack });
render();
