/**
 * Draws portraits: the colour, shape or picture chosen for a character. Defaults follow from the
 * name: a shape, and a colour that no other seated character has while there are enough. They are
 * the same on every page, regardless of drawing order.
 */

import { s } from "./dom.js";

/** @typedef {import("./wire").Portrait} Portrait */

/**
 * Shown on the dark ground of portraits; as distinct as possible for colour-blind viewers.
 * @type {Record<string, string>}
 */
export const COLOURS = {
  white: "#f4efe4",
  yellow: "#f6d33e",
  sky: "#5eccfc",
  orange: "#fd8029",
  rose: "#e59cb0",
  green: "#2b8760",
  red: "#e2221f",
  blue: "#7697ea",
};
/** Paths in a box of 48 by 48. @type {Record<string, string>} */
export const SHAPES = {
  triangle: "M24 6 42 40H6Z",
  diamond: "M24 5 43 24 24 43 5 24Z",
  square: "M8 8H40V40H8Z",
  pentagon: "M24 5 42 18 35 41H13L6 18Z",
  hexagon: "M14 7H34L44 24 34 41H14L4 24Z",
  star: "M24 3 30 17 45 18 33 28 38 43 24 34 10 43 15 28 3 18 18 17Z",
  heart: "M24 44C8 33 4 25 6 16 9 6 21 6 24 14 27 6 39 6 42 16 44 25 40 33 24 44Z",
  circle: "M24 4A20 20 0 1 1 23.9 4Z",
  shield: "M6 8H42V24A18 18 0 0 1 6 24Z",
  cross: "M18 5H30V18H43V30H30V43H18V30H5V18H18Z",
  leaf: "M6 42A36 36 0 0 1 42 6 36 36 0 0 1 6 42Z",
};
const ALL = Object.keys(COLOURS);
const DRAWN = Object.keys(SHAPES);

/** The choices; `worn` completes them with defaults. @type {Record<string, Portrait>} */
let chosen = {};
/** @type {Map<string, Portrait>} */
const worn = new Map();
/**
 * Colours in use, chosen or worn by seated characters: other characters do not get them by default.
 * @type {Set<string|null>}
 */
const taken = new Set();
let dressed = "";
/**
 * The address of a picture; a self-contained page overrides it.
 * @type {(digest: string) => string}
 */
let find = (digest) => `/portraits/${digest}.webp`;

/** @param {(digest: string) => string} found */
export const findPictures = (found) => (find = found);

/**
 * Use the portraits of this state from now on.
 * @param {Pick<import("./types").StateFrame, "portraits"|"seats">} state
 */
function dress({ portraits = {}, seats }) {
  const of = (/** @type {boolean} */ gm) =>
    seats.filter(({ seat }) => (seat === "gm") === gm).flatMap(({ characters }) => characters);
  const seated = [...of(false), ...of(true)];
  const said = JSON.stringify([portraits, seated]);
  if (said === dressed) return;
  dressed = said;
  chosen = portraits;
  worn.clear();
  taken.clear();
  for (const { colour } of Object.values(chosen)) if (colour) taken.add(colour);
  for (const name of seated) taken.add(look(name).colour);
}

/**
 * A hash of a name: FNV-1a.
 * @param {string} name
 */
function digest(name) {
  let sum = 0x811c9dc5;
  for (const sign of name.toLowerCase()) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum;
}

/**
 * The complete look of a character.
 * @param {string} name
 */
export function look(name) {
  const known = worn.get(name);
  if (known) return known;
  const sum = digest(name);
  const { colour, shape, picture } = chosen[name] ?? {};
  const free = colour ? [colour] : ALL.filter((each) => !taken.has(each));
  const colours = free.length ? free : ALL;
  const own = {
    colour: colours[sum % colours.length],
    shape: shape ?? DRAWN[(sum >>> 8) % DRAWN.length],
    picture: picture ?? "",
  };
  worn.set(name, /** @type {Portrait} */ (own));
  return /** @type {Portrait} */ (own);
}

/**
 * @param {string} name
 * @param {{colour?: string|null, shape?: string|null, picture?: string}} shown
 */
export function drawn(name, { colour, shape, picture }) {
  const tint = COLOURS[colour ?? ""];
  const href = picture && find(picture);
  /** @param {string} fill */
  const tile = (fill) =>
    s("rect", { x: 1, y: 1, width: 46, height: 46, rx: 10, fill, stroke: tint, "stroke-width": 2 });
  return s(
    "svg",
    { class: "portrait", viewBox: "0 0 48 48", "aria-hidden": "true" },
    tile("#14171f"),
    s("path", { d: SHAPES[shape ?? ""], fill: tint }),
    s("text", { x: 24, y: 26, "text-anchor": "middle", "dominant-baseline": "middle" }, [...name][0]?.toUpperCase()),
    href && [s("image", { href, width: 48, height: 48, key: picture }), tile("none")],
  );
}

/** @type {import("./portrait.js").Painter} */
export const painter = { dress, look, drawn };
