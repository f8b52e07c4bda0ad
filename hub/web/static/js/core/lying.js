/** Cards that never turn over: face up, face down, or as illustrations. */

import { backFace, choiceName, front, hue } from "./cards.js";
import { h } from "./dom.js";

/**
 * A card as a mere picture.
 * @param {import("./types").Part} [inside] its face; without it the card is face down
 * @param {string} [key]
 */
export const lyingCard = (inside, key) =>
  h(
    "div",
    { class: `card ${inside ? "up" : "down"}`, key, "aria-hidden": "true" },
    h("div", { class: "leaf" }, backFace(), inside && h("div", { class: "face front", key: "front" }, inside)),
  );

/**
 * A card that lies face up.
 * @param {string} kind
 * @param {string} value
 */
export const faceUpCard = (kind, value) =>
  h(
    "div",
    { class: "card up", role: "img", "aria-label": choiceName(kind, value) },
    h(
      "div",
      { class: "leaf" },
      backFace(),
      h("div", { class: `face front ${hue(kind, value)}`, key: "front" }, front(kind, value)),
    ),
  );
