/** What the display shows between scenes at either distance: facts, and each family's view. */

import { BETWEEN, GAMES } from "#games";
import { prepareFor } from "../../core/game.js";
import { redraw } from "../../core/later.js";
import { loadMore, t } from "../../core/texts.js";
import { GENERIC } from "./generic.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Between} Between */
/** @typedef {Between & {shots: import("../../core/types").Shot[]}} Face */

/**
 * The evening's title, the family that the table is prepared for, and the address for spectators.
 * @type {{evening: string, family: string|null, watch: string|null}}
 */
let known = { evening: "", family: null, watch: null };
/** @type {Map<string, Face>} */
const faces = new Map();
/** A placeholder while a family's view loads: a temporary drawing would make the page jump. */
const COMING = { ...GENERIC, card: () => [], shots: [] };
/** Counts address changes, so that the browser reloads the QR code. */
let turn = 0;

/** Keeps the QR code in memory, so that it is there at once whenever it is drawn. */
const kept = new Image();

async function ask() {
  known = await (await fetch("display/about.json")).json();
  const { code } = watching() ?? {};
  if (code) kept.src = code;
}

addEventListener("where", async () => {
  turn += 1;
  await ask().catch(() => {});
  redraw();
});

/**
 * Load the texts and the facts about the evening, and the family that the table is prepared for.
 * @param {string[]} parts of a family that the page needs
 */
export async function learn(parts) {
  await Promise.all([ask(), loadMore(".between")]);
  if (known.family) await prepareFor(GAMES, known.family, parts);
}

/** The title of the evening; empty if it has none. @param {State} state */
export const titleOf = (state) => state.evening || known.evening;

/** Where others can watch: the address, and its QR code. Null if they cannot. */
export const watching = () => (known.watch ? { address: known.watch, code: `display/code.svg?n=${turn}` } : null);

/** Whether a player's seat has no character. @param {State} state */
export const hasRoom = ({ seats }) => seats.some(({ seat, characters }) => seat !== "gm" && !characters.length);

/** The view of the family of the last scene. @param {State} state */
export const lastFace = (state) => faceOf(state.ended_family ?? state.story_family);

/** The view of the family that is played next, as far as it is known. @param {State} state */
export const nextFace = (state) => faceOf(state.story_family ?? state.ended_family ?? known.family);

/**
 * The title of a past scene and its outcome, in a few words each.
 * @param {State["results"][number]} past
 * @param {Between} face
 */
export const pastSaid = (past, face) => ({
  title: past.title || past.stakes || t("between.scene", { number: past.scene }),
  result: face.result(past) ?? GENERIC.result(past),
});

/** @type {Face|null} */
let generic = null;
const plain = () => (generic ??= { ...GENERIC, shots: /** @type {Face["shots"]} */ (GENERIC.shown()) });

/**
 * @param {string|null|undefined} family
 * @returns {Face}
 */
function faceOf(family) {
  const fetched = BETWEEN[family ?? ""];
  if (!family || !fetched) return plain();
  if (!faces.has(family)) {
    faces.set(family, COMING);
    fetched().then(
      async (found) => {
        if (found.sentences) await loadMore(found.sentences);
        const face = { ...GENERIC, ...found };
        faces.set(family, { ...face, shots: await face.shown() });
        redraw();
      },
      (error) => {
        console.error(error);
        faces.set(family, plain());
        redraw();
      },
    );
  }
  return faces.get(family) ?? COMING;
}
