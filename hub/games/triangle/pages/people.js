/** The two sides: their characters, energy, and face-up cards. */

import { h, kept } from "#core/dom.js";
import { look, portrait } from "#core/portrait.js";
import { plug } from "#core/shapes.js";
import { pretty, sideName, t } from "#core/texts.js";
import { meaningOf, word } from "#core/words.js";
import { ownWords, smallCard, specialName } from "./cards.js";
import { energyRow } from "./energy.js";
import { TYPES } from "./shapes.js";
import { gone, goneAs } from "./sides.js";

/** @typedef {import("./types").Conflict} Conflict */

const DENSE = 3;
const VERY_DENSE = 5;
const CROWD = 7;

/**
 * A character's current activity in a word; none if it only watches.
 * @param {Conflict} state
 * @param {string} name
 */
function badgesOf(state, name) {
  const { turn, may_act: mayAct } = state.game;
  /** @type {Array<[string, string]>} */
  const found = [];
  const open = state.awaited.includes(name) && ["sealed", "locked", "decision", "open"].includes(state.phase);
  const played = Boolean(turn) && !["next", "verdict", "over"].includes(state.step);
  if (played && turn?.active === name) found.push(["acts", t("badge.turn")]);
  if (played && turn?.opponent === name) found.push(["chosen", t("badge.chosen")]);
  if (open && state.committed.includes(name)) found.push(["ready", t("badge.ready")]);
  else if (open) found.push(["choosing", t("badge.choosing")]);
  else if (mayAct.includes(name)) found.push(["may", t("badge.may")]);
  return found;
}

/**
 * @param {string} name
 * @param {import("#core/wire.js").CharacterView} character
 * @param {import("#core/wire.js").ComboView|null} combo with this character as its victim
 */
function faceUpCards(name, character, combo) {
  const rows = [];
  if (character.face_up.length) {
    const cards = character.face_up.map((value) => smallCard(value));
    rows.push(
      h(
        "div",
        { class: "lying disadvantage" },
        h("h4", {}, word("disadvantage", t("disadvantage.cards"))),
        h("ul", {}, cards),
        h("em", {}, t("disadvantage.more", { again: ownWords(String(character.face_up.at(-1))), more: cards.length })),
      ),
    );
  }
  if (combo) {
    rows.push(
      h(
        "div",
        { class: "lying combo" },
        h("h4", {}, word("combo", t("combo.cards", { name: pretty(name) }))),
        h(
          "ul",
          {},
          combo.moves.map((value) => smallCard(value)),
        ),
        h("em", {}, t("combo.bonus", { bonus: combo.bonus })),
      ),
    );
  }
  return rows;
}

/**
 * Specials left, and the effects that bind a character or keep it in; null if there are none.
 * @param {import("#core/wire.js").CharacterView} character
 */
function specialsOf({ specials_left: left, bound, last_stand: last }) {
  const named = left?.length
    ? [
        t("specials.left", { specials: "" }),
        left.map((one, at) => [at > 0 && ", ", word(`special ${one}`, specialName(one))]),
      ]
    : "";
  const lines = [named, bound && t("special.bound", { name: pretty(bound) }), last && t("special.last")].filter(
    Boolean,
  );
  return lines.length
    ? h(
        "p",
        { class: "specials-of", key: "specials" },
        lines.map((line, at) => [at > 0 && ". ", line]),
      )
    : null;
}

/** A character, redrawn only when it has changed. */
const drawn = kept(
  (
    /** @type {string} */ name,
    /** @type {import("#core/wire.js").CharacterView & {broken?: Record<string, number>, falls?: boolean}} */ character,
    /** @type {Array<[string, string]>} */ badges,
    /** @type {boolean} */ inTurn,
    /** @type {boolean} */ lost,
    /** @type {import("#core/wire.js").ComboView|null} */ combo,
    /** @type {import("#core/wire.js").Portrait|null} */ _look,
    /** @type {Array<import("#core/words.js").Meaning|null>} */ _explained,
  ) => {
    const away = gone(character);
    return h(
      "article",
      {
        class: `person ${inTurn ? "in-turn" : ""} ${away ? "away" : ""} ${character.falls ? "falls" : ""}`,
        key: name,
        "data-name": name,
      },
      h(
        "header",
        {},
        portrait(name),
        h("h3", {}, pretty(name)),
        away && word(`gone.${goneAs(character)}`, away, { look: "gone", key: "gone" }),
        badges.map(([kind, text]) => word(`badge.${kind}`, text, { look: `badge ${kind}`, key: kind })),
        lost && word("badge.lost", [plug, t("reader.lost.short")], { look: "badge lost", key: "lost" }),
      ),
      h(
        "div",
        { class: "energies" },
        TYPES.map((type) => energyRow(character, type)),
      ),
      !away && specialsOf(character),
      !away && faceUpCards(name, character, combo),
    );
  },
);

/**
 * @param {Conflict} state
 * @param {string} name
 */
function person(state, name) {
  const { characters, combo, result, turn } = state.game;
  const lost = state.seats.some((seat) => seat.reader === "lost" && seat.characters.includes(name));
  const inTurn = !result && (turn?.active === name || turn?.opponent === name);
  const known = characters[name].specials_left?.map((one) => meaningOf(`special ${one}`)) ?? [];
  return drawn(
    name,
    characters[name],
    badgesOf(state, name),
    inTurn,
    lost,
    combo?.victim === name ? combo : null,
    look(name),
    known,
  );
}

/**
 * One side with its members.
 * @param {Conflict} state
 * @param {string} name
 * @param {string} at
 */
export function side(state, name, at) {
  const members = state.game.sides[name] ?? [];
  const density =
    members.length >= CROWD
      ? "very-dense crowd"
      : members.length > VERY_DENSE
        ? "very-dense"
        : members.length > DENSE
          ? "dense"
          : "";
  const won = state.game.result?.winner === name;
  return h(
    "section",
    {
      class: `side side-${at} ${density} ${won ? "won" : ""}`,
      key: `side-${at}`,
      "aria-label": sideName(name),
    },
    h("h2", {}, sideName(name)),
    h(
      "div",
      { class: "people" },
      members.map((member) => person(state, member)),
    ),
  );
}
