/** The index of games that the hub makes of its families' folders (`hub/web/assets.py`), for Node. */

import { existsSync, readFileSync } from "node:fs";

const FOLDERS = new URL("../../hub/games/", import.meta.url);
const registry = readFileSync(new URL("registry.py", FOLDERS), "utf8");
/** The families in the registry's order. */
export const FAMILIES = [...registry.matchAll(/_family\("hub\.games\.(\w+)"\)/g)].map(([, family]) => String(family));
const FACES = ["stage", "seat", "gm", "recap"];

/** @param {string} family @param {string} face */
const script = (family, face) => new URL(`${family}/pages/${face}.js`, FOLDERS);
/** @param {string} face */
const having = (face) => FAMILIES.filter((family) => existsSync(script(family, face)));
/** @param {string} family @param {string} face */
const fetcher = (family, face) => /** @type {const} */ ([face, () => import(script(family, face).href)]);

export const GAMES = Object.fromEntries(
  having("stage").map((family) => [
    family,
    Object.fromEntries(FACES.filter((face) => existsSync(script(family, face))).map((face) => fetcher(family, face))),
  ]),
);

export const BETWEEN = Object.fromEntries(having("between").map((family) => [family, fetcher(family, "between")[1]]));
