/** Cards with a sign of strokes, as printed. */

import { h, s } from "./dom.js";

/** @typedef {{d: string, width: number, solid?: boolean}} Stroke */

/** @param {readonly Stroke[]} strokes */
export const drawn = (strokes) =>
  s(
    "svg",
    { class: "said-sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
    strokes.map(({ d, width, solid }) => s("path", { d, "stroke-width": width, class: solid && "solid" })),
  );

/**
 * A card whose face is a picture above its name.
 * @param {import("./types").Card} found
 * @param {import("./types").Part} picture falsy if it has none
 * @returns {import("./types").Card}
 */
export const withPicture = (found, picture) =>
  picture
    ? {
        ...found,
        front: () => [h("span", { class: "picture" }, picture), h("span", { class: "name" }, h("b", {}, found.name))],
      }
    : found;
