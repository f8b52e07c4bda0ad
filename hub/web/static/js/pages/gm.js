// @ts-nocheck
/** The GM's console: what the table waits for, and everything that the GM can do about it. */

import { changeAloud, sayAloud } from "../core/aloud.js";
import { banners } from "../core/banners.js";
import { samePhase } from "../core/besides.js";
import { Coming } from "../core/come.js";
import { Commander } from "../core/commands.js";
import { Connection } from "../core/connection.js";
import { h, morph } from "../core/dom.js";
import { demands } from "./gm/asked.js";
import { Desk, justDone, quick, tabBar, tabsOf, TABS } from "./gm/desk.js";
import { mustSeal, sealRow } from "./gm/hand.js";
import { guardPresses } from "../core/guard.js";
import { isProblem } from "../games/triangle/problem.js";
import { explained, loadReasons } from "../core/reasons.js";
import { prompt } from "../games/triangle/say.js";
import { Score } from "../core/score.js";
import { readState } from "../core/state.js";
import { letSeal } from "../core/tabstop.js";
import { loadTexts, t } from "../core/texts.js";

const root = document.getElementById("root");
const desk = new Desk(document.body, render);
const { ui } = desk;
const coming = new Coming(root, ".asked", ".own");
const wide = matchMedia("(min-width: 56rem)");
/** What is drawn, and the newest that was told: while cards turn over they differ. */
let state = null;
let told = null;
let status = "opening";

function top() {
  const { head, more } = prompt(state);
  const problem = isProblem(state?.game);
  const turns = state?.turn_number && !problem;
  const stakes = state?.game && state.story?.stakes;
  const about = state?.game?.problem || (stakes && `${t("stakes")} ${stakes}`);
  const where = [state?.title || t(problem ? "problem" : "gm.console"), turns ? t("turn", { number: state.turn_number }) : ""];
  return h(
    "header",
    { class: "moment", key: "moment" },
    banners(state, status, ui.console.hindrances),
    h("p", { class: "eyebrow", key: "where" }, where.filter(Boolean).join(" · ")),
    h("h1", { key: "head" }, head),
    more && h("p", { class: "more", key: "more" }, more),
    about && h("p", { class: "about", key: "about" }, about),
  );
}

function draw() {
  const { text, bad } = desk.told();
  // On a wide screen what holds now is never hidden, and so has no tab.
  const names = tabsOf(state, ui.wide);
  const shown = names.includes(ui.tab) ? ui.tab : names[0];
  const column = (name) => h("div", { class: `column ${name}`, key: name }, TABS[name](state, ui));
  const columns = ui.wide ? ["now", shown] : [shown];
  morph(
    root,
    h(
      "div",
      {},
      top(),
      h("main", { class: `columns ${status === "open" ? "" : "cut-off"}`, key: "main" }, state && columns.map(column)),
      h(
        "footer",
        { class: "dock", key: "dock" },
        h("p", { class: `outcome ${bad ? "bad" : ""}`, role: "status", key: "outcome" }, text),
        justDone(ui),
        sealRow(state, ui),
        quick(state, ui),
        tabBar(ui, shown, names),
      ),
    ),
  );
  desk.drawn();
}

/** Draw; whoever has pressed a button that is gone keeps a place to go on from. */
function render() {
  const held = document.activeElement;
  const inside = held !== document.body && root.contains(held);
  draw();
  coming.drawn(askedNow(), Boolean(ui.picked || ui.sheet || ui.sure || !(ui.wide || ui.tab === "now")));
  if (!inside || held.isConnected || ui.sheet) return;
  const next = root.querySelector("main .default:not([aria-disabled])") ?? root.querySelector("[aria-current]");
  next?.focus({ preventScroll: true });
}

/** What the table waits for that stands among the questions, or in the GM's own hand; empty when nothing does. */
function askedNow() {
  const asked = state ? [...demands(ui), ...mustSeal(state, ui)] : [];
  return asked.length ? [state.basis.scene, state.basis.phase, ...asked].join(" ") : "";
}

const handlers = {
  state: (frame) => {
    const before = told;
    told = readState(frame);
    sayAloud(changeAloud(before, told));
    if (!samePhase(ui.commander.basis, told.basis)) {
      ui.besides.clear();
      ui.picked = null;
    }
    ui.commander.onState(told);
    state = desk.state = told;
  },
  reply: (frame) => ui.commander.onReply(frame),
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
  "ws/gm",
  (frame) => score.take(frame),
  (now, code) => {
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
letSeal(root);
render();
