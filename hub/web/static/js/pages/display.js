/** The display's page: follows the table and shows it. */

import { GAMES } from "#games";
import { changeAloud, sayAloud } from "../core/aloud.js";
import { follow } from "../core/boot.js";
import { h, morph, nearest, pageRoot, update } from "../core/dom.js";
import { Fit } from "../core/fit.js";
import { REST_S, since } from "../core/frame.js";
import { hear, hearAnew, hearSoon } from "../core/hearing.js";
import { fetchStyle, later } from "../core/later.js";
import { notice } from "../core/prompt.js";
import { remembered } from "../core/remembered.js";
import { glass } from "../core/shapes.js";
import { t } from "../core/texts.js";
import { timer } from "../core/timer.js";
import { Waited } from "../core/waited.js";

/** Where the browser remembers how far away its viewers are. */
const KEPT = "facedown-distance";
const panel = later(async () => (await import("./held.js")).ready());
const NOTICE_MS = 5000;
const TICK_MS = 250;

/** @type {{state: import("../core/types").State|null, status: import("../core/types").Status, notice: string, waited: number|null}} */
const shown = { state: null, status: "opening", notice: "", waited: null };
const waits = new Waited();
/** Whether the browser can lay out the frame (CSS Containment Level 3). */
const able = CSS.supports("container-type", "size");
const near = !able || isNear();
const draws = await (near ? nearby() : roomy());
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
  morph(root, h("div", {}, draws(shown), state?.panel && panel(state.panel)));
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

/** Whether the viewers sit at the table (*near*) or across a room: as the address says, or as before. */
function isNear() {
  const asked = new URLSearchParams(location.search);
  return (
    remembered(
      KEPT,
      ["near", "room"].find((each) => asked.has(each)),
    ) === "near"
  );
}

/** Change the distance, and begin anew. */
function change() {
  const url = new URL(location.href);
  const other = near ? "room" : "near";
  for (const each of ["near", "room"]) url.searchParams.delete(each);
  remembered(KEPT, other);
  history.replaceState(null, "", url);
  location.reload();
}

/** The button that changes the distance. */
const distance = () =>
  h(
    "button",
    { class: "distance", key: "distance", type: "button", title: t(near ? "room.far" : "room.near") },
    h("span", { class: "unseen" }, t(near ? "room.far" : "room.near")),
    glass(near),
  );

/** Everything at once, for players at the table. */
async function nearby() {
  const [{ display }] = await Promise.all([import("./stage.js"), fetchStyle("display"), fetchStyle("far")]);
  const needs = () => !able && h("p", { class: "hindrance", key: "needs", role: "status" }, t("room.needs"));
  return (/** @type {typeof shown} */ now) => [needs(), display(now), able && distance()];
}

/** The moment, for a room. */
async function roomy() {
  const { room } = await import("./room.js");
  return (/** @type {typeof shown} */ now) => room(now, distance());
}

/** Update only what time changes: the timer, and how long the table has been waiting. */
function tick() {
  const clock = root.querySelector(".timer");
  const left = clock && shown.state && timer(shown.state);
  if (left) update(clock, left);
  if (!near) wait();
}

/** Draw how long the table has been waiting; all anew when that begins, and when people come forward. */
function wait() {
  const before = shown.waited ?? 0;
  shown.waited = waits.seconds(shown.state);
  const line = root.querySelector(".since");
  const waited = since(shown.waited);
  if (line && waited) update(line, waited);
  if (Boolean(line) !== Boolean(waited) || (before < REST_S && (shown.waited ?? 0) >= REST_S)) render();
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
  shown.waited = waits.seconds(state);
  render();
}

await follow({
  path: "ws",
  games: GAMES,
  faces: [near ? "stage" : "room"],
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
root.addEventListener("click", (event) => nearest(event, ".distance") && change());
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  const typing = target instanceof HTMLElement && target.matches("input, textarea, select");
  if (key === "n" && !typing && !ctrlKey && !metaKey && !altKey) change();
});
