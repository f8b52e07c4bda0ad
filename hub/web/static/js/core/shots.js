/** Pictures for passers-by: cards go down one after the other, and turn over together. */

import { h, s } from "./dom.js";
import { lyingCard } from "./lying.js";
import { t } from "./texts.js";

/** @typedef {import("./types").Shot} Shot */
/** @typedef {import("./types").Drawn} Drawn */
/** @typedef {{name: string, called: string, up: Drawn}} Someone a person, with the card that it lays */

const LAYS_MS = 1000;
/** How long a picture is shown that has to be understood. */
export const LASTS_MS = 3400;

const BUST = "M12 2.5A5 5 0 1 1 11.9 2.5ZM2 23A10 9 0 0 1 22 23Z";

/** The sign of a person. @param {string} name `red`, `blue` or `gm`, for its colour */
export const somebody = (name) =>
  s(
    "svg",
    { class: `somebody ${name}`, key: "somebody", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: BUST }),
  );

/** The people of an example. */
export const red = () => ({ name: "red", called: t("between.red") });
export const blue = () => ({ name: "blue", called: t("between.blue") });

/** The words of one of the three pictures, as for any game. @param {1|2|3} beat */
export const words = (beat) => ({ beat, said: t(`between.picture.${beat}`), more: t(`between.picture.${beat}.more`) });

/** A face as a card that has turned over. @param {import("./types").Part} inside */
export const open = (inside) => lyingCard(inside, "card");

const place = h("div", { class: "vacant awaited", key: "place", "aria-hidden": "true" });

/**
 * The people side by side, each with a card and its own sign.
 * @param {Array<Someone & {mark?: import("./types").Side["mark"]}>} people
 * @param {(one: Someone, at: number) => Drawn} [card]
 * @param {import("./types").Part} [middle]
 * @returns {import("./types").Sides}
 */
export const around = (people, card = ({ up }) => up, middle = []) => ({
  kind: "sides",
  middle,
  sides: people.map((one, at) => ({
    name: one.name,
    called: one.called,
    mark: one.mark ?? "",
    cards: [card(one, at)],
    notes: [somebody(one.name)],
  })),
});

/**
 * Everybody's card goes down, and all turn over.
 * @param {Someone[]} people
 * @param {Partial<Record<"1"|"2", {said: string, more: string}>>} [own] the game's own words
 * @returns {Shot[]}
 */
export const laidAndTurned = (people, own = {}) => [
  ...[...people, null].map((_, count) => ({
    ...words(1),
    ...own[1],
    lasts: count < people.length ? LAYS_MS : 2 * LAYS_MS,
    pieces: () => around(people, (_one, at) => (at < count ? lyingCard(null, "card") : place)),
  })),
  { ...words(2), ...own[2], lasts: LASTS_MS, pieces: () => around(people) },
];

/** The first has won. @param {[Someone, Someone]} people */
export const decided = ([first, second]) =>
  around(
    [
      { ...first, mark: "won" },
      { ...second, mark: "lost" },
    ],
    undefined,
    h("span", { class: "points", key: "over", "aria-hidden": "true" }, "\u203a"),
  );
