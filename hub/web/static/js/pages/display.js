/** The display's page: follows the table and shows it. */

import { GAMES } from "#games";
import { changeAloud, sayAloud } from "../core/aloud.js";
import { follow } from "../core/boot.js";
import { h, morph, pageRoot, update } from "../core/dom.js";
import { Fit } from "../core/fit.js";
import { hear, hearAnew, hearSoon } from "../core/hearing.js";
import { later } from "../core/later.js";
import { notice } from "../core/prompt.js";
import { t } from "../core/texts.js";
import { display, timer } from "./stage.js";

const panel = later(async () => (await import("./held.js")).ready());
const NOTICE_MS = 5000;
const TICK_MS = 250;

/** @type {{state: import("../core/types").State|null, status: import("../core/types").Status, notice: string}} */
const shown = { state: null, status: "opening", notice: "" };
const root = pageRoot();
const fit = new Fit(root);
let noticeEnds = 0;
/** The animation frame that will draw the page. */
let frame = 0;
/** The newest state that was told. @type {import("../core/types").State|null} */
let told = null;

/**
 * Drawing, style computation (forced by `getAnimations`) and layout each take long on a tablet.
 * They run as separate tasks after a frame, when there is most time until the next one.
 */
function render() {
  if (document.hidden) draw();
  else if (!frame)
    frame = requestAnimationFrame(() => {
      frame = 0;
      [draw, () => document.getAnimations(), lay].forEach(soon);
    });
}

function draw() {
  const { state } = shown;
  root.className = `phase-${state?.phase ?? "none"} ${fit.classes}`.trimEnd();
  morph(root, h("div", {}, display(shown), state?.panel && panel(state.panel)));
  document.title = state?.title ? `${state.title}: Facedown` : "Facedown";
  // Even if the next frame comes early, do not paint a page that does not fit.
  requestAnimationFrame(lay);
}

function lay() {
  const { state, notice: said } = shown;
  fit.fit(String(state?.scene), [state?.phase, state?.step, state?.turn_number, Boolean(said)].join(" "));
}

/**
 * Run a function as a separate task, before the next frame where the browser supports that.
 * @param {() => unknown} part
 */
function soon(part) {
  const { scheduler } =
    /** @type {{scheduler?: {postTask: (part: () => unknown, how: {priority: string}) => void}}} */ (
      /** @type {unknown} */ (globalThis)
    );
  if (scheduler) scheduler.postTask(part, { priority: "user-blocking" });
  else setTimeout(part);
}

/** Update only the timer. */
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

/** Make everything that shows an address fetch it again. */
const findAnew = () => dispatchEvent(new Event("where"));

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
    hear(frame, told, state);
    if (frame.type === "where") findAnew();
    if (!state) return;
    sayAloud(changeAloud(told, state));
    told = state;
    show(state);
  },
  onStatus: (status) => {
    if (status === "lost" && shown.status !== "lost") sayAloud(t("connection.lost"));
    if (status === "open") hearAnew();
    if (status === "open" && shown.status === "lost") findAnew();
    shown.status = status;
    render();
  },
});
render();
hearSoon();
setInterval(tick, TICK_MS);
addEventListener("resize", render);
