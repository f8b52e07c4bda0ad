/** The timer for choices. */

import { partLeft, secondsUntil } from "./clock.js";
import { h, s } from "./dom.js";
import { t } from "./texts.js";

const RING = 2 * Math.PI * 20;

/**
 * The timer for choices as a ring with its seconds; null if none runs.
 * @param {import("./types").State} state
 */
export function timer({ timer: running }) {
  if (!running) return null;
  const left = secondsUntil(running.deadlineMs);
  const part = partLeft(running.deadlineMs, running.seconds);
  /**
   * @param {string} name
   * @param {string} [dash]
   */
  const circle = (name, dash) => s("circle", { class: name, cx: 24, cy: 24, r: 20, "stroke-dasharray": dash });
  const rings = [circle("track"), circle("left", `${RING * part} ${RING}`)];
  const ring = s("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, rings);
  const text = left ? t("timer", { seconds: left }) : t("timer.over");
  return h(
    "div",
    { class: `timer ${left <= running.soon ? "soon" : ""}`, role: "timer", "aria-label": text, key: "timer" },
    ring,
    h("b", {}, left),
  );
}
