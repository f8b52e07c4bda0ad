/** The index of games that the hub makes of its families' folders (`hub/web/assets.py`), for Node. */

import { existsSync, readFileSync } from "node:fs";

const FAMILIES = new URL("../../hub/games/", import.meta.url);
const registry = readFileSync(new URL("registry.py", FAMILIES), "utf8");
const IN_ORDER = /^FAMILIES\b.*= \((.*)\)$/m.exec(registry)[1].toLowerCase().split(", ");
const FACES = ["stage", "seat", "gm", "recap"];

/** @param {string} family @param {string} face */
const script = (family, face) => new URL(`${family}/pages/${face}.js`, FAMILIES);
/** @param {string} face */
const having = (face) => IN_ORDER.filter((family) => existsSync(script(family, face)));
/** @param {string} family @param {string} face */
const fetcher = (family, face) => /** @type {const} */ ([face, () => import(script(family, face).href)]);

export const GAMES = Object.fromEntries(
  having("stage").map((family) => [
    family,
    Object.fromEntries(FACES.filter((face) => existsSync(script(family, face))).map((face) => fetcher(family, face))),
  ]),
);

export const BETWEEN = Object.fromEntries(having("between").map((family) => [family, fetcher(family, "between")[1]]));
