/** The display's page: follows the table and shows it. */

import { changeAloud, sayAloud } from "../core/aloud.js";
import { follow } from "../core/boot.js";
import { h, morph, pageRoot, update } from "../core/dom.js";
import { Fit } from "../core/fit.js";
import { notice } from "../core/prompt.js";
import { t } from "../core/texts.js";
import { GAMES } from "../games/index.js";
import { display, timer } from "./stage.js";

const NOTICE_MS = 5000;
const TICK_MS = 250;

/** @type {{state: import("../core/types").State|null, status: import("../core/types").Status, notice: string}} */
const shown = { state: null, status: "opening", notice: "" };
const root = pageRoot();
const fit = new Fit(root);
let noticeEnds = 0;
let fits = 0;
/** The newest state that was told. @type {import("../core/types").State|null} */
let told = null;

function render() {
  const { state, notice: said } = shown;
  root.className = `phase-${state?.phase ?? "none"} ${fit.classes}`.trimEnd();
  morph(root, h("div", {}, display(shown)));
  cancelAnimationFrame(fits);
  // By itself, just before it is painted: drawing and laying out are each long enough on a tablet.
  fits = requestAnimationFrame(() =>
    fit.fit(String(state?.scene), [state?.phase, state?.step, state?.turn_number, Boolean(said)].join(" ")));
  document.title = state?.title ? `${state.title}: Facedown` : "Facedown";
}

/** Time goes on: nothing else is drawn. */
function tick() {
  const clock = root.querySelector(".timer");
  const left = clock && shown.state && timer(shown.state);
  if (left) update(clock, left);
}

/** @param {string} text */
function say(text) {
  shown.notice = text;
  clearTimeout(noticeEnds);
  noticeEnds = setTimeout(() => {
    shown.notice = "";
    render();
  }, NOTICE_MS);
}

/** @param {import("../core/types").State} state */
function show(state) {
  shown.state = state;
  render();
}

await follow({
  path: "ws",
  games: GAMES,
  faces: ["stage"],
  part: ".room",
  show,
  tell: (frame, state) => {
    const text = frame.type === "event" && notice(frame.line);
    if (text) say(text);
    if (!state) return;
    sayAloud(changeAloud(told, state));
    told = state;
    show(state);
  },
  onStatus: (status) => {
    if (status === "lost" && shown.status !== "lost") sayAloud(t("connection.lost"));
    shown.status = status;
    render();
  },
});
render();
setInterval(tick, TICK_MS);
addEventListener("resize", render);
