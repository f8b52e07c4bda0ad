// @ts-nocheck
/** The display's page: follows the table and shows it. */

import { changeAloud, sayAloud } from "../core/aloud.js";
import { Connection } from "../core/connection.js";
import { h, morph, update } from "../core/dom.js";
import { Fit } from "../core/fit.js";
import { notice } from "../games/triangle/say.js";
import { Score } from "../core/score.js";
import { display, timer } from "./stage.js";
import { readState } from "../core/state.js";
import { loadTexts, t } from "../core/texts.js";

const NOTICE_MS = 5000;
const TICK_MS = 250;

const shown = { state: null, status: "opening", notice: "" };
const root = document.getElementById("root");
let noticeEnds = 0;
let told = null;
const fit = new Fit(root);

function render() {
  const { state, notice: said } = shown;
  root.className = `phase-${state?.phase ?? "none"} ${fit.classes}`.trimEnd();
  morph(root, h("div", {}, display(shown)));
  fit.fit([state?.scene, state?.phase, state?.step, state?.turn_number, Boolean(said)].join(" "));
  document.title = state?.title ? `${state.title}: Facedown` : "Facedown";
}

/** Time goes on: nothing else is drawn. */
function tick() {
  const clock = root.querySelector(".timer");
  if (clock && shown.state?.timer) update(clock, timer(shown.state));
}

function show(frame) {
  shown.state = readState(frame);
  render();
}

function onFrame(frame) {
  if (frame.type === "event") {
    const text = notice(frame.line);
    if (text) {
      shown.notice = text;
      clearTimeout(noticeEnds);
      noticeEnds = setTimeout(() => {
        shown.notice = "";
        render();
      }, NOTICE_MS);
    }
    return;
  }
  if (frame.type !== "state") return;
  const before = told;
  told = readState(frame);
  sayAloud(changeAloud(before, told));
  show(frame);
}

function onStatus(status) {
  if (status === "lost" && shown.status !== "lost") sayAloud(t("connection.lost"));
  shown.status = status;
  if (status === "open") score.join();
  render();
}

await loadTexts(".room");
render();
const score = new Score({ show, tell: onFrame });
new Connection("ws", (frame) => score.take(frame), onStatus);
setInterval(tick, TICK_MS);
addEventListener("resize", render);
