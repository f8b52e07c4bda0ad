/** The GM's console: what the table waits for, and everything that the GM can do about it. */

import { GAMES } from "#games";
import { changeAloud, sayAloud } from "../core/aloud.js";
import { banners } from "../core/banners.js";
import { samePhase } from "../core/besides.js";
import { follow } from "../core/boot.js";
import { Coming } from "../core/come.js";
import { h, morph, pageRoot } from "../core/dom.js";
import { letExplain } from "../core/explain.js";
import { game } from "../core/game.js";
import { guardPresses } from "../core/guard.js";
import { prompt } from "../core/prompt.js";
import { explained, loadReasons } from "../core/reasons.js";
import { letSeal } from "../core/tabstop.js";
import { t } from "../core/texts.js";
import { demands } from "./gm/asked.js";
import { dock, justDone, quick, tabBar } from "./gm/dock.js";
import { mustSeal, sealRow } from "./gm/hand.js";
import { inside, Panels, tabsOf } from "./gm/panels.js";
import { panelLacks } from "./lacks.js";

/** @typedef {import("../core/types").State} State */

const root = pageRoot();
/** @type {import("../core/connection.js").Connection|null} */
let connection = null;
const panels = new Panels(document.body, render, (message) => connection?.send(message) ?? false);
const { ui } = panels;
const coming = new Coming(root, ".came", ".asked", ".own");
/** As a fraction of the screen's height. */
const MOST_BARS = 0.6;
const wide = matchMedia("(min-width: 44rem)");
/**
 * The drawn state; during a reveal it differs from the newest one that was told.
 * @type {State|null}
 */
let state = null;
/** @type {State|null} */
let told = null;
/** @type {import("../core/types").Status} */
let status = "opening";

function top() {
  const { head, more } = prompt(state);
  const played = state?.game ? game().scene(state) : null;
  const stakes = state?.game && state.story?.stakes;
  const about = played?.about || (stakes && `${t("stakes")} ${stakes}`);
  const turns = state && played?.turns && state.turn_number;
  const where = [
    state?.title || (played && !played.turns ? played.nature : t("gm.console")),
    turns ? t("turn", { number: turns }) : "",
  ];
  return h(
    "header",
    { class: "moment", key: "moment" },
    banners(state, status, ui.console.hindrances),
    panelLacks(state?.panel?.missing),
    h("p", { class: "eyebrow", key: "where" }, where.filter(Boolean).join(" · ")),
    h("h1", { key: "head" }, head),
    more && h("p", { class: "more", key: "more" }, more),
    about && h("p", { class: "about", key: "about" }, about),
    ui.wide && justDone(ui),
  );
}

function draw() {
  const told = panels.told();
  // A wide screen always shows the `now` column, so it has no tab there.
  const names = tabsOf(state, ui);
  const shown = names.includes(ui.tab) ? ui.tab : names[0];
  /** On a wide screen each column scrolls by itself, also by keyboard. @param {string} name */
  const column = (name) =>
    h(
      "div",
      {
        class: `column ${name}`,
        key: name,
        ...(ui.wide && { role: "region", "aria-label": t(`gm.tab.${name}`), tabindex: 0 }),
      },
      state && inside(name, state, ui),
    );
  const columns = ui.wide ? ["now", shown] : [shown];
  morph(
    root,
    h(
      "div",
      {},
      top(),
      h("main", { class: `columns ${status === "open" ? "" : "cut-off"}`, key: "main" }, state && columns.map(column)),
      ui.wide
        ? h(
            "footer",
            { class: "dock", key: "dock" },
            h("p", { class: `outcome ${told.bad ? "bad" : ""}`, role: "status", key: "outcome" }, told.text),
            sealRow(state, ui),
            quick(state, ui),
            tabBar(ui, shown, names),
          )
        : dock(state, ui, told, shown, names),
    ),
  );
  panels.drawn();
  crowd();
}

/** With very large fonts the fixed bars would leave no room for the rest: then they scroll too. */
function crowd() {
  /** @type {NodeListOf<HTMLElement>} */
  const bars = root.querySelectorAll(".moment, .dock");
  const high = [...bars].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
  document.body.classList.toggle("crowded", high > innerHeight * MOST_BARS);
}

/** Draw; if the focused button disappears, move the focus to a useful place. */
function render() {
  const held = document.activeElement;
  const inside = held !== null && held !== document.body && root.contains(held);
  draw();
  coming.drawn(askedNow(), Boolean(ui.picked || ui.sheet || ui.sure || !(ui.wide || ui.tab === "now")));
  if (!inside || held.isConnected || ui.sheet) return;
  const step = held instanceof HTMLElement && held.dataset.form ? root.querySelector("[data-step]") : null;
  const next = step ?? root.querySelector("main .default:not([aria-disabled])") ?? root.querySelector("[aria-current]");
  if (next instanceof HTMLElement) next.focus({ preventScroll: next !== step });
}

/**
 * Identifies what the table waits for among the questions or in the GM's own hand; empty if there
 * is nothing.
 */
function askedNow() {
  if (!state) return "";
  const asked = [...demands(ui), ...mustSeal(state, ui)];
  return asked.length ? [state.version.scene, state.version.phase, ...asked].join(" ") : "";
}

/** @param {State} next */
function onState(next) {
  const before = told;
  told = next;
  sayAloud(changeAloud(before, told));
  if (!samePhase(ui.commander.version, told.version)) {
    ui.besides.clear();
    ui.picked = null;
  }
  ui.commander.onState(told);
  state = panels.state = told;
}

letExplain(document.body, { means: () => panels.means(), onClose: render });
connection = await follow({
  path: "ws/gm",
  games: GAMES,
  faces: ["stage", "gm"],
  prepare: loadReasons,
  news: (come) => ui.commander.onNews(come),
  show: (shown) => {
    state = panels.state = shown;
    panels.ask();
    render();
  },
  tell: (frame, next) => {
    panels.take(explained(frame));
    if (next) onState(next);
    panels.ask();
    render();
  },
  onStatus: (now, code) => {
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
addEventListener("resize", render);
guardPresses(document.body);
letSeal(root);
render();
