/** The triangle's part of the chronicle: choices, consequences, and the GM's deeds, in words. */

import { knows, list, pretty, sentence, t } from "#core/texts.js";
import { choiceName, specialName } from "../cards.js";
import { verdict } from "../say.js";
import { splitName } from "../split.js";

/** @typedef {import("#core/types.js").Line} Line */

/** @param {string} key @param {Record<string, string|null|undefined>} places */
const said = (key, places) =>
  t(key, Object.fromEntries(Object.entries(places).map(([name, value]) => [name, pretty(value ?? "")])));

/**
 * A decision or declaration in words; null for a card, which is told by its name.
 * @param {string} actor
 * @param {string} choice
 */
export function choiceSaid(actor, choice) {
  const [kind = ""] = choice.split(" ");
  const value = choice.slice(kind.length + 1);
  const exact = `gm.log.${kind}.${value}`;
  if (knows(exact)) return said(exact, { actor });
  const key = `gm.log.${kind}`;
  if (!knows(key)) return null;
  const points = ["split", "aim", "gain"].includes(kind) ? splitName(value) : "";
  return sentence(t(key, { actor: pretty(actor), name: pretty(value), points, value }));
}

/**
 * Whether a decision begins a turn.
 * @param {string} choice
 */
export const begins = (choice) => /^(active|agreed) /.test(choice);

/** @param {string} ruleset */
export function sceneSaid(ruleset) {
  if (!/^(unroll|iron-triangle)/.test(ruleset)) return null;
  return t(`gm.log.a.${ruleset.endsWith("-problem") ? "problem" : "conflict"}`);
}

/**
 * A consequence in words; null for one common to all families.
 * @param {any} came
 * @param {Line} event
 * @returns {string[]|null}
 */
export function cameSaid(came, event) {
  /** @type {Record<string, any>} */
  const lost = came.losses ?? {};
  const losses = Object.entries(lost).map(
    ([name, total]) => `${t("loss.total", { name: pretty(name), total: total?.total ?? total })}.`,
  );
  switch (came.what) {
    case "turn-won":
    case "turn-surrendered":
    case "turn-tied": {
      /** @type {Record<string, {choice: string}>} */
      const openings = event.openings ?? {};
      const moves = Object.fromEntries(
        Object.entries(openings).map(([name, { choice }]) => [name, choice.replace(/^move /, "")]),
      );
      /** @type {Record<string, string>} */
      const plain = { "turn-tied": "tie", "turn-surrendered": "surrender" };
      const why = came.why ?? plain[came.what];
      const told = { why, moves, winner: came.winner, loser: came.loser };
      const known =
        knows(`why.${why}`) && (!["action", "element"].includes(why) || (moves[came.winner] && moves[came.loser]));
      return [known ? verdict(told) : said("gm.log.won", { winner: came.winner }), ...losses];
    }
    case "replaced":
      return [
        t("special.replaced", {
          player: pretty(came.name),
          first: choiceName("move", came.first),
          move: choiceName("move", came.move),
        }),
      ];
    case "conflict-over":
      return [
        `${came.winner ? said("over", { side: came.winner }) : t("over.undecided")}. ${knows(`over.${came.reason}`) ? t(`over.${came.reason}`) : ""}`,
      ];
    case "problem-over":
      return [
        `${t(came.success ? "problem.solved" : "problem.failed", { by: sentence(pretty(came.decider ?? "gm")) })}.`,
      ];
    default:
      return null;
  }
}

/**
 * The lesson of a level-up, with the choices made beside it.
 * @param {any} choices
 */
function learned({ move, variant, combos = [], energy, special, called, regain, goal, belief, flaw }) {
  const some = [
    move && choiceName("move", move),
    variant && choiceName("move", `${variant.id} ${variant.variant}`),
    ...combos.map((/** @type {{start: string, move: string}} */ one) =>
      t("gm.level.combo", { start: choiceName("move", one.start), move: choiceName("move", one.move) }),
    ),
    energy && t("gm.level.energy", { type: t(energy) }),
    special && specialName(special),
    called && `“${called}”`,
    regain && t(`gm.regain.${regain}`),
    ...[goal, belief, flaw].filter(Boolean),
  ];
  return list(some.filter(Boolean));
}

/**
 * Deeds as the journal keeps them: the text's key and its placeholders.
 * @type {Record<string, (deed: any) => [string, Record<string, any>]>}
 */
const DEEDS = {
  rest: ({ kind }) => [`rest.${kind}`, {}],
  recover: ({ name, type, points = 0 }) => [
    "recover",
    { rest: type ? `${pretty(name)}, ${t(type)} ${points}` : pretty(name) },
  ],
  lose: ({ name, type, points }) => ["lose", { rest: `${pretty(name)}, ${t(type)} ${points}` }],
  mark: ({ name, trait }) => [`mark.${trait}`, { name }],
  unmark: ({ name, trait }) => [`unmark.${trait}`, { name }],
  rename: ({ name, move, called }) => ["rename", { name, move: choiceName("move", move), called }],
  rewrite: ({ name, trait, words }) => ["rewrite", { name, what: t(`gm.${trait}`), words }],
  background: ({ name, background, called }) => ["background", { name, background, called }],
  "level-up": ({ name, choices }) => ["level-up", { name, rest: learned(choices) }],
  replace: ({ name, by }) => ["replace", { dead: pretty(name), fresh: pretty(by) }],
  join: ({ name }) => ["join", { rest: pretty(name) }],
};

/**
 * A deed of the triangle in words; null for one common to all stories.
 * @param {any} deed
 */
export function deedSaid(deed) {
  const found = DEEDS[deed.do]?.(deed);
  if (!found) return null;
  const [key, places] = found;
  return t(`gm.deed.${key}`, { ...places, ...(places.name && { name: pretty(places.name) }) });
}
