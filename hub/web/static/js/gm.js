/** The GM's console: what the table waits for, and everything that the GM can do about it. */

import { changeAloud, sayAloud } from "./aloud.js";
import { hear, hearServer } from "./clock.js";
import { Commander, outcomeWords } from "./commands.js";
import { Connection } from "./connection.js";
import { h, morph } from "./dom.js";
import { answered, fillLines, letAct, newUi } from "./gm/act.js";
import { askedPanel } from "./gm/asked.js";
import { charactersPanel } from "./gm/characters.js";
import { handPanel } from "./gm/hand.js";
import { fetchKeys, keysPanel, renewKey } from "./gm/keys.js";
import { Chronicle, logPanel } from "./gm/log.js";
import { npcPanel } from "./gm/npcs.js";
import { overruleSheet } from "./gm/overrule.js";
import { press, turn } from "./gm/parts.js";
import { endPress, scenePanel } from "./gm/scene.js";
import { makeSheets } from "./gm/sheets.js";
import { countdownPanel, restPanel, stakesPanel } from "./gm/story.js";
import { undoSheet } from "./gm/undo.js";
import { waitingPanel } from "./gm/waiting.js";
import { explained, loadReasons } from "./reasons.js";
import { prompt } from "./say.js";
import { readState } from "./state.js";
import { loadTexts, setLanguage, t } from "./texts.js";

const TABS = {
  now: (state) => [
    askedPanel(state, ui, false),
    handPanel(state, ui, ui.console.gm_seat),
    askedPanel(state, ui, true),
    waitingPanel(state, ui),
    state.phase === "idle" && begin(),
  ],
  scene: (state) => [scenePanel(state, ui), npcPanel(state, ui)],
  story: (state) => [countdownPanel(state, ui), stakesPanel(state, ui), restPanel(state, ui), charactersPanel(state, ui)],
  log: (state) => logPanel(state, ui),
  keys: (state) => keysPanel(state, ui),
};
const DONE_MS = 6000;

const root = document.getElementById("root");
const ui = newUi({ chronicle: new Chronicle(), pending: (place) => ui.commander.pending(place) });
const wide = matchMedia("(min-width: 56rem)");
let state = null;
let status = "opening";
let fades = 0;
let heard = null;

const begin = () => turn(t("gm.scene.begin"), { tab: "scene" }, { kind: "offer default", key: "to-scene" });

/** What became of the newest press, in words. */
function told() {
  if (ui.note) return { text: ui.note, bad: true };
  if (ui.commander.unanswered.size) return { text: t("gm.on-its-way"), bad: false };
  const { outcome } = ui.commander;
  return { text: outcomeWords(outcome), bad: Boolean(outcome) && !outcome.ok };
}

function top() {
  const { head, more } = prompt(state);
  const lost = status !== "open" && (status !== "opening" || state);
  return h(
    "header",
    { class: "moment", key: "moment" },
    lost && h("p", { class: "connection", role: "alert", key: "lost" }, t(status === "locked" ? "connection.locked" : "connection.lost")),
    h("p", { class: "eyebrow", key: "where" }, [state?.title || t("gm.console"), state?.turn_number ? t("turn", { number: state.turn_number }) : ""].filter(Boolean).join(" · ")),
    h("h1", { key: "head" }, head),
    more && h("p", { class: "more", key: "more" }, more),
  );
}

/** What is wanted at any moment of a scene, above the tabs. */
function quick() {
  if (!state || state.phase === "idle") return null;
  const paused = state.phase === "paused";
  const flow = paused ? "resume" : "pause";
  const undone = ui.console.undo ? "" : t("gm.undo.nothing");
  return h(
    "div",
    { class: "quick", key: "quick", role: "group", "aria-label": t("gm.quick") },
    state.phase !== "over" && press(ui, t(`command.${flow}`), { command: flow }, { place: "pause", kind: paused ? "offer default" : "quiet" }),
    turn(t("gm.undo"), { sheet: "undo" }, { key: "undo-open", why: undone, hush: true }),
    turn(t("gm.overrule.open"), { sheet: "overrule" }, { key: "overrule-open" }),
    state.phase === "over" && endPress(state, ui),
  );
}

/** The tab that is shown beside what holds now; on a wide screen that is never hidden. */
const shownTab = () => (ui.wide && ui.tab === "now" ? "scene" : ui.tab);

function tabs() {
  const names = Object.keys(TABS).filter((name) => !(ui.wide && name === "now"));
  return h(
    "nav",
    { class: "tabs", key: "tabs", "aria-label": t("gm.tabs") },
    names.map((name) => {
      const here = name === shownTab();
      const calls = name === "now" && !here && ui.questions.some(({ offers }) => offers.some((offer) => offer.default));
      const button = turn([t(`gm.tab.${name}`), calls && h("span", { class: "calls" }, h("span", { class: "unseen" }, t("gm.tab.calls")))], { tab: name }, { kind: "tab", key: name });
      if (here) button.setAttribute("aria-current", "page");
      return button;
    }),
  );
}

function draw() {
  const { text, bad } = told();
  const tab = shownTab();
  const column = (name, label) => h("div", { class: `column ${name}`, key: name, "aria-label": label, role: "region" }, TABS[name](state));
  const columns = state && (ui.wide ? [column("now", t("gm.tab.now")), column(tab, t(`gm.tab.${tab}`))] : [column(tab, t(`gm.tab.${tab}`))]);
  morph(
    root,
    h(
      "div",
      {},
      top(),
      h("main", { class: `columns ${status === "open" ? "" : "cut-off"}`, key: "main" }, columns),
      h(
        "footer",
        { class: "dock", key: "dock" },
        h("p", { class: `outcome ${bad ? "bad" : ""}`, role: "status", key: "outcome" }, text),
        quick(),
        tabs(),
      ),
    ),
  );
  drawSheet(state, text);
  fillLines(document, ui);
}

/** Draw; whoever has pressed a button that is gone keeps a place to go on from. */
function render() {
  const held = document.activeElement;
  const inside = held !== document.body && root.contains(held);
  draw();
  if (inside && !held.isConnected && !ui.sheet) {
    (root.querySelector("main .default:not([aria-disabled])") ?? root.querySelector("[aria-current]"))?.focus({ preventScroll: true });
  }
}

/** What was done is told for a while, and closes its sheet; what was not, until the next press. */
function onOutcome() {
  const { outcome } = ui.commander;
  if (outcome && outcome !== heard) {
    answered(ui);
    ui.note = "";
    clearTimeout(fades);
    if (outcome.ok) {
      ui.sheet = null;
      fades = setTimeout(() => {
        if (ui.commander.outcome === outcome) ui.commander.outcome = null;
        render();
      }, DONE_MS);
    }
  }
  heard = outcome;
  render();
}

const handlers = {
  event: ({ line }) => hear(line.at_ms),
  state: (frame) => {
    const next = readState(frame);
    sayAloud(changeAloud(state, next));
    ui.commander.onState(next);
    state = next;
  },
  questions: ({ questions }) => (ui.questions = questions),
  deeds: ({ deeds, cast }) => Object.assign(ui, { deeds, cast }),
  console: (frame) => (ui.console = frame),
  hand: (frame) => (ui.hands[frame.seat] = frame),
  chronicle: (frame) => ui.chronicle.take(frame),
  reply: (frame) => ui.commander.onReply(frame),
};

const redraw = (promise) => promise.then(render);
const doing = {
  "ask-renew": (seat) => (ui.sure = `key ${seat}`),
  renew: (seat) => {
    ui.sure = null;
    redraw(renewKey(ui, seat));
  },
  language: (code) => redraw(setLanguage(code).then(loadReasons)),
};

await Promise.all([loadTexts().then(loadReasons), hearServer()]);
const connection = new Connection(
  "ws/gm",
  (frame) => {
    handlers[frame.type]?.(explained(frame));
    render();
  },
  (now) => {
    status = now;
    ui.commander.onStatus(now);
    render();
  },
);
ui.commander = new Commander(connection, { onChange: onOutcome });
const drawSheet = makeSheets(ui, { undo: undoSheet, overrule: overruleSheet }, render);
wide.addEventListener("change", () => {
  ui.wide = wide.matches;
  render();
});
ui.wide = wide.matches;
letAct(document, { ui, state: () => state, render, doing, onTab: (tab) => tab === "keys" && redraw(fetchKeys(ui)) });
render();
