/** The display's page: follows the table and shows it. */

import { changeAloud, sayAloud } from "./aloud.js";
import { hearServer } from "./clock.js";
import { Connection } from "./connection.js";
import { h, morph } from "./dom.js";
import { fit } from "./fit.js";
import { notice } from "./say.js";
import { Score } from "./score.js";
import { display } from "./stage.js";
import { readState } from "./state.js";
import { loadTexts, t } from "./texts.js";

const NOTICE_MS = 5000;
const TICK_MS = 250;

const shown = { state: null, status: "opening", notice: "" };
const root = document.getElementById("root");
let noticeEnds = 0;
let told = null;
let fitted = "";

function draw() {
  const { state } = shown;
  root.className = `phase-${state?.phase ?? "none"} ${fitted}`.trimEnd();
  morph(root, h("div", {}, display(shown)));
}

function render() {
  const { state } = shown;
  draw();
  fitted = fit(root);
  document.title = state?.title ? `${state.title}: Facedown` : "Facedown";
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

await Promise.all([loadTexts(), hearServer()]);
render();
const score = new Score({ show, tell: onFrame });
new Connection("ws", (frame) => score.take(frame), onStatus);
setInterval(() => shown.state?.timer && draw(), TICK_MS);
addEventListener("resize", render);
