/**
 * The virtual table's page: every seat's reader and hand, and beside them the GM's panels with the
 * decisions of all seats.
 */

import { GAMES } from "#games";
import { changeAloud, sayAloud } from "../core/aloud.js";
import { banners } from "../core/banners.js";
import { samePhase } from "../core/besides.js";
import { follow } from "../core/boot.js";
import { h, morph, nearest, pageRoot, update } from "../core/dom.js";
import { letDrag } from "../core/drag.js";
import { letExplain } from "../core/explain.js";
import { since } from "../core/frame.js";
import { game } from "../core/game.js";
import { guardPresses } from "../core/guard.js";
import { turn } from "../core/parts.js";
import { prompt } from "../core/prompt.js";
import { explained, loadReasons } from "../core/reasons.js";
import { storyLine } from "../core/story.js";
import { t } from "../core/texts.js";
import { timer } from "../core/timer.js";
import { Waited } from "../core/waited.js";
import { askedPanel } from "./gm/asked.js";
import { directed } from "./gm/directed.js";
import { dock, justDone, nextStep, quick, tabBar } from "./gm/dock.js";
import { Panels, TABS, tabsOf } from "./gm/panels.js";
import { stuckNote } from "./gm/players.js";
import { begin } from "./gm/scene.js";
import { seatPanel } from "./table/hands.js";
import { invite } from "./table/invite.js";
import { letKeys } from "./table/keys.js";
import { Lights } from "./table/lights.js";
import { isSolo, solo, whole } from "./table/solo.js";
import { Tabletop } from "./table/tabletop.js";

/** @typedef {import("../core/types").State} State */

const root = pageRoot();
/** @type {import("../core/connection.js").Connection|null} */
let connection = null;
/** @param {Record<string, unknown>} message */
const send = (message) => connection?.send(message) ?? false;
const panels = new Panels(document.body, render, send, document.getElementById("sheets") ?? document.body);
const { ui } = panels;
const tabletop = new Tabletop(ui, send, render);
const lights = new Lights(root, send);
const waits = new Waited();
const TICK_MS = 250;
const wide = matchMedia("(min-width: 64rem)");
/**
 * The drawn state; during a reveal it differs from the newest one that was told.
 * @type {State|null}
 */
let state = null;
/** @type {State|null} */
let told = null;
/** @type {import("../core/types").Status} */
let status = "opening";

/**
 * The focus waits for a new place: in a seat's panel, or with "" in the GM's.
 * @type {string|null}
 */
let homeless = null;

/** Draw; if the focused element disappears, move the focus to a useful place. */
function render() {
  const held = document.activeElement;
  const inside = held !== null && held !== document.body && root.contains(held);
  const seat = held?.closest("[data-panel]")?.getAttribute("data-panel") ?? "";
  draw();
  if (inside && (!held.isConnected || held.matches(":disabled"))) homeless = seat;
  else if (inside) homeless = null;
  const home = homeless !== null && !ui.sheet && newHome(homeless);
  if (home) {
    home.focus();
    homeless = null;
  }
}

/**
 * The most likely next control for keyboard users: of the seat, or the default answer.
 * @param {string} seat
 * @returns {HTMLElement|null|undefined}
 */
function newHome(seat) {
  const panel = `[data-panel="${seat}"]`;
  const open = ":not(:disabled, [aria-disabled])";
  let homes = [`.asked .default${open}`, `.asked .offer${open}`];
  if (state?.phase === "sealed") homes = [".fits[data-card]", "[data-card]:not(:disabled)"];
  if (seat)
    homes = [
      `${panel} .asked .default${open}`,
      `${panel} .asked .offer${open}`,
      `${panel} [data-lift]`,
      `${panel} .fits[data-card]`,
      `${panel} [data-put]:not(:disabled)`,
      `${panel} [data-card]:not(:disabled)`,
    ];
  return homes.map((found) => /** @type {HTMLElement|null} */ (root.querySelector(found))).find(Boolean);
}

function draw() {
  const alone = isSolo(state, ui);
  document.body.classList.toggle("solo", alone);
  if (alone && state) {
    const page = { waited: waits.seconds(state), cut: status !== "open", tools: whole(state, ui) };
    morph(root, h("div", {}, banners(state, status, ui.console.hindrances), solo(state, ui, page), outcome()));
  } else drawWhole();
  panels.drawn();
  lights.paint();
}

/** Every seat, and the GM's panels. */
function drawWhole() {
  // A wide screen always shows seats and decisions, so they have no tab there.
  const names = tabsOf(state, ui);
  const shown = names.includes(ui.tab) ? ui.tab : names[0];
  const parts = ui.wide ? [seats(), side(names, shown)] : shown === "now" ? [now(), seats()] : [tabPanel(shown)];
  morph(
    root,
    h(
      "div",
      {},
      banners(state, status, ui.console.hindrances),
      bar(),
      invite(state, ui),
      h("main", { class: `table-parts ${status === "open" ? "" : "cut-off"}`, key: "main" }, parts),
      !ui.wide && dock(state, ui, panels.told(), shown, names),
    ),
  );
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
    lights.clock(),
    whole(state, ui),
    display,
  );
}

function outcome() {
  const { text, bad } = panels.told();
  return h("p", { class: `outcome ${bad ? "bad" : ""}`, role: "status", key: "outcome" }, text);
}

/** The decisions of all seats; without any, what else the table waits for. */
function now() {
  if (!state) return null;
  const { phase } = state;
  if (phase === "idle") return !ui.wide && !directed(state, ui) && column("now", begin(state, ui));
  const nothing = () =>
    h("p", { class: "nothing-now", key: "nothing" }, t(phase === "sealed" ? "table.sealed" : "table.none"));
  return column(
    "now",
    !ui.wide && nextStep(state, ui),
    stuckNote(state, ui),
    askedPanel(state, ui, false) ?? nothing(),
    askedPanel(state, ui, true),
  );
}

/**
 * @param {string} name
 * @param {...import("../core/types").Part} inside
 */
const column = (name, ...inside) =>
  h("div", { class: "gm", key: `column-${name}` }, h("div", { class: `column ${name}`, key: name }, inside));

/** @param {string} name */
const tabPanel = (name) => column(name, state && TABS[name]?.(state, ui));

/**
 * The GM's panels, beside the seats.
 * @param {string[]} names
 * @param {string} shown
 */
function side(names, shown) {
  return h(
    "aside",
    { class: "gm console", key: "console", "aria-label": t("gm.console") },
    quick(state, ui),
    outcome(),
    justDone(ui),
    now(),
    tabBar(ui, shown, names),
    tabPanel(shown),
  );
}

function seats() {
  const around = state?.game && game().miniature(state, timer(state));
  // A player against the hub watches the table, not the hub's hands.
  const first = Boolean(state?.hub_plays.length);
  return h(
    "div",
    { class: "seats-part", key: "seats" },
    h("h2", { class: "unseen", key: "title" }, t("seats")),
    first && around,
    h(
      "div",
      { class: "panels", key: "panels" },
      ui.readers.map((/** @type {import("../core/types").TabletopReader} */ reader) =>
        seatPanel(state, ui, reader, lights.lamps(reader.seat)),
      ),
    ),
    h(
      "p",
      { class: "help", key: "help" },
      t("hand.help"),
      " ",
      turn(t("table.returns"), { laid: "turn" }, { pressed: ui.returns, key: "returns" }),
    ),
    !ui.wide && storyLine(state),
    !first && around,
  );
}

/** Update what time changes on the stage: the timer, and how long the table has been waiting. */
function tick() {
  if (!document.body.classList.contains("solo")) return;
  const clock = root.querySelector(".timer");
  const left = clock && state && timer(state);
  if (left) update(clock, left);
  const line = root.querySelector(".since");
  const waited = since(waits.seconds(state));
  if (line && waited) update(line, waited);
  if (Boolean(line) !== Boolean(waited)) render();
}

root.addEventListener("click", (event) => {
  const button = nearest(event, "button");
  if (button instanceof HTMLButtonElement && !button.disabled) tabletop.click(button.dataset, event);
});

root.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.find)
    tabletop.find(target.dataset.find, { text: target.value });
});

/** @param {State} next */
function onState(next) {
  const before = told;
  told = next;
  if (before && told.step !== before.step) ui.told = {};
  sayAloud(changeAloud(before, told));
  if (!samePhase(ui.commander.version, told.version)) ui.besides.clear();
  ui.commander.onState(told);
  state = panels.state = told;
  tabletop.goBack(told);
}

/** @param {import("../core/types").Frame} frame */
function take(frame) {
  if (frame.type === "tabletop") tabletop.take(frame);
  else if (frame.type === "tell") tabletop.tell(frame);
  else if (frame.type === "reply" && tabletop.onReply(frame)) return;
  panels.take(frame);
}

letExplain(document.body, { means: () => panels.means(), onClose: render });
connection = await follow({
  path: "ws/table",
  games: GAMES,
  faces: ["stage", "gm"],
  prepare: loadReasons,
  news: (come) => {
    ui.commander.onNews(come);
    tabletop.onNews(come);
  },
  show: (shown) => {
    state = panels.state = shown;
    panels.ask();
    render();
  },
  tell: (frame, next) => {
    // Lights change many times a second: redraw the page only if a label changes.
    if (frame.type === "lights" && !lights.take(frame)) return lights.paint();
    take(explained(frame));
    if (next) onState(next);
    panels.ask();
    render();
  },
  onStatus: (now, code) => {
    if (now !== "open") tabletop.forget();
    if (now === "open") lights.ask();
    else lights.forget();
    status = now;
    panels.onStatus(now, code);
    render();
  },
});
wide.addEventListener("change", () => {
  ui.wide = wide.matches;
  render();
});
ui.wide = wide.matches;
guardPresses(document.body);
letDrag(root, tabletop.lay);
letKeys(root, { lay: tabletop.lay, lift: tabletop.lift, drop: tabletop.putBack });
addEventListener("resize", render);
setInterval(tick, TICK_MS);
render();
