/**
 * A character in a Conflict, for its player: its assets, its Reserve, its party and the party's
 * Losses.
 */

import { h } from "#core/dom.js";
import { list, pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { isConflict } from "./conflict.js";
import { chip, plainCard } from "./named.js";

/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("./types").PartyView} PartyView */
/** @typedef {import("./types").CardView} CardView */

/**
 * @param {string} id of the word in the title
 * @param {string} key
 * @param {...Part} body
 */
const part = (id, key, ...body) =>
  h(
    "section",
    { class: `own-part part-${key}`, key, "aria-label": t(`tourists.word.${id}`) },
    h("h3", {}, word(id, t(`tourists.word.${id}`))),
    ...body,
  );

/** @param {readonly string[]} texts */
const lines = (texts) =>
  h(
    "ul",
    { class: "own-lines" },
    texts.map((text) => h("li", { key: text }, text)),
  );

/** Cards side by side. @param {readonly CardView[]} cards */
const cards = (cards) => h("p", { class: "own-lie" }, cards.map(chip));

/**
 * The Losses of a party, Temporary ones first.
 * @param {PartyView} party
 */
export function losses({ temporary, lasting }) {
  const short = temporary.map((card) =>
    h(
      "li",
      { key: `temporary-${card.number}` },
      h("b", {}, word("temporary", t("tourists.word.temporary"))),
      " ",
      chip(card),
    ),
  );
  const long = lasting.map(({ cards: marks, face_down: down, text, who, gravity }, at) =>
    h(
      "li",
      { key: `lasting-${at}` },
      h("b", {}, word("lasting", t("tourists.word.lasting"))),
      " ",
      h("span", {}, t("tourists.own.bears", { who: pretty(who) }), text && `: ${text}`),
      h("span", { class: "own-gravity" }, t(`tourists.gravity.${gravity}`)),
      h(
        "span",
        { class: "own-lie" },
        marks.map((card) =>
          h(
            "span",
            { class: down.includes(card.number) ? "down" : "", key: `mark-${card.number}` },
            chip(card),
            down.includes(card.number) && ` ${t("tourists.own.face-down")}`,
          ),
        ),
      ),
    ),
  );
  return h("ul", { class: "own-lines own-losses" }, short, long);
}

/**
 * A character between Conflicts.
 * @typedef {{description?: string, attributes?: Record<string, number>, aspects?: string[], weaknesses?: string[], reserve?: Array<{number: number, reversed: boolean}>|null, reserve_max?: number}} Lasting
 */

/**
 * The sheet between Conflicts.
 * @param {Lasting} own
 */
export const written = ({
  description = "",
  attributes = {},
  aspects = [],
  weaknesses = [],
  reserve = [],
  reserve_max: most = 0,
}) => [
  description && h("p", { key: "description" }, description),
  Object.keys(attributes).length > 0 &&
    part(
      "attribute",
      "attribute",
      lines(
        Object.entries(attributes).map(([name, value]) => t("tourists.own.attribute", { name: pretty(name), value })),
      ),
    ),
  aspects.length > 0 && part("aspect", "aspects", lines(aspects)),
  weaknesses.length > 0 && part("weakness", "weaknesses", lines(weaknesses)),
  most > 0 &&
    part(
      "reserve",
      "reserve",
      h(
        "p",
        {},
        reserve?.length
          ? list(reserve.map(({ number, reversed }) => plainCard(`${number} ${reversed ? "reversed" : "upright"}`)))
          : t(reserve ? "tourists.own.reserve.none" : "tourists.own.reserve.later"),
      ),
      h("p", { class: "hint" }, t("tourists.own.reserve.most", { most })),
    ),
];

/** @param {import("#core/types.js").Actor} actor */
function between({ name, sheet: own }) {
  if (!own) return null;
  const title = t("tourists.own.sheet.between", { name: pretty(name) });
  return h(
    "section",
    { class: "own-sheet", key: "sheet", "aria-label": title },
    h("h2", { key: "title" }, title),
    written(/** @type {Lasting} */ (own)),
  );
}

/**
 * @param {import("#core/types.js").State|null} state
 * @param {import("#core/types.js").Actor} actor
 */
export function sheet(state, actor) {
  const { name } = actor;
  if (!state || !isConflict(state)) return between(actor);
  const { game } = state;
  const own = game.members[name];
  const party = game.parties[own?.party ?? ""];
  if (!own || !party) return null;
  const others = party.characters.filter((who) => who !== name);
  const none = !party.temporary.length && !party.lasting.length;
  const holds =
    game.control?.party === own.party &&
    t("tourists.own.holds", { ranks: game.control.ranks, count: game.control.ranks });
  return h(
    "section",
    { class: "own-sheet", key: "sheet", "aria-label": t("tourists.own.sheet", { name: pretty(name) }) },
    h("h2", { key: "title" }, t("tourists.own.sheet", { name: pretty(name) })),
    own.attribute &&
      part(
        "attribute",
        "attribute",
        h("p", {}, t("tourists.own.attribute", { name: pretty(own.attribute.name), value: own.attribute.value })),
      ),
    own.aspects.length > 0 && part("aspect", "aspects", lines(own.aspects)),
    own.weaknesses.length > 0 && part("weakness", "weaknesses", lines(own.weaknesses)),
    (own.reserve_max > 0 || own.reserve.length > 0) &&
      part(
        "reserve",
        "reserve",
        own.reserve.length ? cards(own.reserve) : h("p", { class: "hint" }, t("tourists.own.reserve.none")),
        h("p", { class: "hint" }, t("tourists.own.reserve.most", { most: own.reserve_max })),
      ),
    part(
      "party",
      "party",
      h(
        "p",
        {},
        h("b", {}, pretty(own.party)),
        others.length > 0 && `, ${t("tourists.own.with", { names: list(others) })}`,
      ),
      party.goal && h("p", {}, t("tourists.own.goal", { goal: party.goal })),
      h("p", { class: "hint" }, t("tourists.own.total", { total: party.total }), holds && ` ${holds}`),
    ),
    part("loss", "losses", none ? h("p", { class: "hint" }, t("tourists.own.losses.none")) : losses(party)),
  );
}
