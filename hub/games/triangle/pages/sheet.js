/** A character's sheet: its energy and abilities, and what cannot be used now and why. */

import { h } from "#core/dom.js";
import { list, pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { choiceName, smallCard, specialName } from "./cards.js";
import { energyRow } from "./energy.js";
import { TYPES } from "./shapes.js";
import { worded } from "./worded.js";

/** @typedef {{id: string, called: string, left: boolean}} Special */
/** @typedef {import("./wire").Sheet} Sheet */

/** @param {{id: string, variant: string}} move */
const written = (move) => `${move.id} ${move.variant}`.trim();

/** @param {import("#core/types.js").Actor} actor */
const sheetOf = ({ sheet }) => /** @type {Sheet|null} */ (sheet);

/**
 * The character's current data: in a conflict the public view is newer, between scenes there is
 * only the sheet.
 * @param {import("#core/types.js").State|null} state
 * @param {import("#core/types.js").Actor} actor
 */
function mine(state, actor) {
  const { name } = actor;
  const sheet = sheetOf(actor);
  const played = state?.game?.characters?.[name];
  const used = played?.used ?? [];
  /** @type {Special[]} */
  const specials = sheet
    ? sheet.specials.map(({ id, name: called, used: gone }) => ({ id, called, left: !gone && !used.includes(id) }))
    : (played?.specials ?? []).map((id) => ({ id, called: "", left: Boolean(played?.specials_left?.includes(id)) }));
  const points = played ?? sheet;
  return {
    points: points && { ...points, zero: points.zero ?? [] },
    moves: sheet ? sheet.moves.map(written) : (played?.moves ?? []),
    called: Object.fromEntries(sheet?.moves.map((move) => [written(move), move.name]) ?? []),
    specials: specials.map((one) => ({
      ...one,
      left: played?.specials_left ? played.specials_left.includes(one.id) : one.left,
    })),
    combos: sheet?.combos ?? played?.combos ?? {},
  };
}

/**
 * Why a move cannot be played now, in short; empty if it can.
 * @param {import("#core/types.js").Actor} actor
 * @param {string} move
 */
const whyNot = ({ closed, offers }, move) =>
  closed[`move ${move}`]?.reason ?? offers.find(({ choice }) => choice === `move ${move}`)?.reason ?? "";

/**
 * @param {string} title
 * @param {string} key
 * @param {string} id of the word in the title
 * @param {...import("#core/types.js").Part} body
 */
const part = (title, key, id, ...body) =>
  h("section", { class: `own-part part-${key}`, key, "aria-label": title }, h("h3", {}, word(id, title)), ...body);

/**
 * @param {import("#core/types.js").Actor} actor
 * @param {{moves: string[], called: Record<string, string>}} own
 */
function moves(actor, { moves: all, called }) {
  if (!all?.length) return null;
  /** @param {string} move */
  const row = (move) => {
    const reason = whyNot(actor, move);
    return h(
      "div",
      { class: `own-move ${reason ? "closed" : ""}`, key: move },
      h("ul", {}, smallCard(move)),
      called[move] && called[move] !== choiceName("move", move) && h("i", {}, called[move]),
      reason && h("small", {}, reason),
    );
  };
  return part(t("own.moves"), "moves", "move", h("div", { class: "own-moves" }, all.map(row)));
}

/** @param {{specials: Special[]}} own */
function specials({ specials: all }) {
  if (!all.length) return null;
  /** @param {Special} special */
  const line = ({ id, called, left }) =>
    h(
      "li",
      { class: left ? "" : "spent", key: id },
      h("b", {}, word(`special ${id}`, specialName(id))),
      called && h("i", {}, called),
      h("span", {}, t(left ? "own.special.left" : "own.special.used")),
    );
  return part(t("own.specials"), "specials", "special", h("ul", { class: "own-lines" }, all.map(line)));
}

/** @param {{combos: Record<string, string[]>}} own */
function combos({ combos: all }) {
  const lines = Object.entries(all).map(([start, more]) => {
    const follow = list(more.map((move) => choiceName("move", move)));
    return h(
      "li",
      { key: start },
      h("b", {}, choiceName("move", start)),
      h("span", {}, t("own.combo.then", { moves: follow })),
    );
  });
  return lines.length ? part(t("own.combos"), "combos", "follow-up", h("ul", { class: "own-lines" }, lines)) : null;
}

/**
 * Belief, flaw, goal, backgrounds and veto.
 * @param {Sheet|null} sheet
 */
function traits(sheet) {
  if (!sheet || sheet.npc) return null;
  /** @type {Array<"belief"|"flaw"|"goal">} */
  const all = ["belief", "flaw", "goal"];
  const marks = all.filter((trait) => sheet[trait].text || sheet[trait].marked);
  /** @param {"belief"|"flaw"|"goal"} trait */
  const line = (trait) =>
    h(
      "li",
      { key: trait },
      h("b", {}, word(trait, t(`own.trait.${trait}`))),
      h("span", {}, worded(sheet[trait].text) ? sheet[trait].text : t("gm.trait.none")),
      h("em", { class: sheet[trait].marked ? "marked" : "" }, t(sheet[trait].marked ? "own.marked" : "own.unmarked")),
    );
  const backgrounds = sheet.backgrounds.map(({ name, points, left }) =>
    h(
      "li",
      { key: `background-${name}` },
      h("b", {}, word("background", t("own.background"))),
      h("span", {}, name),
      h("em", {}, t("own.points", { left, points })),
    ),
  );
  const veto = h(
    "li",
    { key: "veto" },
    h("b", {}, word("veto", t("own.veto"))),
    h("span", {}, t(sheet.veto ? "own.veto.left" : "own.veto.used")),
  );
  return part(t("own.traits"), "traits", "", h("ul", { class: "own-lines" }, marks.map(line), backgrounds, veto));
}

/**
 * The whole sheet of one character.
 * @param {import("#core/types.js").State|null} state
 * @param {import("#core/types.js").Actor} actor
 */
export function sheetView(state, actor) {
  const own = mine(state, actor);
  const { points } = own;
  const sheet = sheetOf(actor);
  const title = [sheet && t("own.level", { level: sheet.level }), sheet?.style].filter(Boolean).join(" · ");
  return h(
    "section",
    { class: "own-sheet", key: `sheet-${actor.name}`, "aria-labelledby": "sheet-title" },
    h("h2", { id: "sheet-title" }, t("own.sheet", { name: pretty(actor.name) })),
    title && h("p", { class: "hint" }, title),
    points &&
      part(
        t("own.energy"),
        "energy",
        "energy",
        h(
          "div",
          { class: "energies" },
          TYPES.map((type) => energyRow(points, type)),
        ),
      ),
    moves(actor, own),
    specials(own),
    combos(own),
    traits(sheet),
  );
}
