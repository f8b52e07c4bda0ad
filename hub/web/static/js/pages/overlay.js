/** The overlay's page: the table as a layer over a stream's own picture. */

import { GAMES } from "#games";
import { follow } from "../core/boot.js";
import { h, morph, pageRoot, update } from "../core/dom.js";
import { Fit } from "../core/fit.js";
import { timer } from "../core/timer.js";
import { overlay, placeOf } from "./overlay/panes.js";

const TICK_MS = 250;

/** @type {{state: import("../core/types").State|null, status: import("../core/types").Status}} */
const shown = { state: null, status: "opening" };
const root = pageRoot();
const fit = new Fit(root);
const place = placeOf(new URLSearchParams(location.search));
let frame = 0;

/** No check for a hidden page: a stream's browser source draws every frame, visible or not. */
function render() {
  if (!frame) frame = requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  const { state } = shown;
  root.className = `phase-${state?.phase ?? "none"} ${fit.classes}`.trimEnd();
  morph(root, h("div", {}, overlay(shown, place)));
  fit.fit(String(state?.scene), [state?.phase, state?.step, state?.turn_number].join(" "));
}

/** Update only the timer. */
function tick() {
  const clock = root.querySelector(".timer");
  const left = clock && shown.state && timer(shown.state);
  if (left) update(clock, left);
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
  tell: (_, state) => state && show(state),
  onStatus: (status) => {
    shown.status = status;
    render();
  },
});
render();
setInterval(tick, TICK_MS);
addEventListener("resize", render);
