/** The specials of a turn: who used which, and its effect in a sentence. */

import { turningCard } from "#core/cards.js";
import { h } from "#core/dom.js";
import { list, pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { choiceName, specialName } from "./cards.js";
import { TYPES } from "./shapes.js";
import { asCard, faceUp } from "./turnings.js";

/**
 * The effect of a special in a sentence; empty while its target is unknown.
 * @param {{does: string, action: string|null, unsaid: boolean}} use
 * @param {{player: string, other: string, person: string}} names
 */
function effect({ does, action, unsaid }, names) {
  if (unsaid) return "";
  return t(`effect.${does}`, { ...names, type: action ? t(action) : "" });
}

/**
 * @param {import("#core/wire.js").TurnView} turn
 * @param {import("#core/wire.js").UseView} use
 */
function used(turn, use) {
  const { player, special, copied, person } = use;
  const concerned = person && person !== player ? pretty(person) : "";
  const name = specialName(asCard({ special, copied }));
  const shown = t(concerned ? "special.shown.on" : "special.shown", {
    player: pretty(player),
    special: name,
    person: concerned,
  });
  const other = pretty((turn.active === player ? turn.opponent : turn.active) ?? "");
  const does = effect(use, { player: pretty(player), other, person: concerned });
  return does ? t("special.shown.does", { shown, does }) : shown;
}

/**
 * The cards of specials at a fighter's stance and move: sealed ones beside them, and those revealed
 * with the moves, also by others of the same side.
 * @param {import("./types").InTurn} state
 * @param {string} name
 */
export function struck(state, name) {
  const { turn, sides } = state.game;
  if (!turn.stances) return null;
  const side = Object.values(sides).find((members) => members.includes(name)) ?? [];
  const fights = (/** @type {string} */ player) => player === turn.active || player === turn.opponent;
  const own = (/** @type {string} */ player) => player === name || (!fights(player) && side.includes(player));
  const shown = turn.specials
    .filter(({ player }) => own(player))
    .map((use) => ({ player: use.player, value: asCard(use) }));
  const hidden = state.beside.filter(own).map((player) => ({ player, value: null }));
  const cards = [...shown, ...hidden];
  return (
    cards.length > 0 &&
    h(
      "div",
      { class: "slot special", key: "specials" },
      cards.map(({ player, value }, nth) => {
        const before = cards.slice(0, nth).filter((each) => each.player === player).length;
        const key = `special-${state.scene}-${turn.number}-${player}-${before}`;
        return turningCard({
          key,
          kind: "special",
          value,
          hidden: t("facedown.special"),
          extra: value === null ? "" : "strikes",
        });
      }),
    )
  );
}

/**
 * The cards of specials played before a stance: sealed, turning over, and revealed.
 * @param {import("./types").InTurn} state
 */
export function laidSpecials(state) {
  const { turn } = state.game;
  if (turn.stances) return null;
  /**
   * @param {string} name
   * @param {number} nth
   */
  const key = (name, nth) => `special-${state.scene}-${turn.number}-${name}-${nth}`;
  /** @param {string} name */
  const uses = (name) => turn.specials.filter(({ player }) => player === name);
  const cards =
    state.step === "specials"
      ? state.awaited.map((name) => ({
          name,
          key: key(name, uses(name).length),
          value: faceUp(state, "special", name),
        }))
      : [];
  const shown = turn.specials.map((use, at) => ({
    name: use.player,
    key: key(use.player, turn.specials.slice(0, at).filter(({ player }) => player === use.player).length),
    value: asCard(use),
  }));
  const drawn = [...shown, ...cards].map(({ name, key, value }) =>
    h(
      "li",
      { key },
      value !== null || state.committed.includes(name)
        ? turningCard({ key: "card", kind: "special", value, hidden: t("facedown.special") })
        : h("div", { class: "empty awaited", key: "empty", role: "img", "aria-label": t("empty.slot") }),
      h("b", {}, pretty(name)),
    ),
  );
  return drawn.length ? h("ul", { class: "options laid", key: "laid" }, drawn) : null;
}

/**
 * The turn's revealed specials, a line each, and the players with a special still face down.
 * @param {import("./types").InTurn} state
 */
export function specials(state) {
  const { turn } = state.game;
  const lines = turn.specials.map((use) => word(`special ${asCard(use)}`, used(turn, use)));
  for (const [name, gain] of Object.entries(turn.gains)) {
    const points = TYPES.filter((type) => gain[type]).map((type) => `${t(type)} ${gain[type]}`);
    lines.push(t("special.gain", { player: pretty(name), points: list(points) }));
  }
  for (const [name, first] of Object.entries(turn.replaced)) {
    const move = choiceName("move", turn.moves?.[name] ?? "");
    lines.push(t("special.replaced", { player: pretty(name), first: choiceName("move", first), move }));
  }
  for (const name of new Set(state.beside)) {
    const count = state.beside.filter((other) => other === name).length;
    lines.push(t(count > 1 ? "special.beside.several" : "special.beside", { player: pretty(name), count }));
  }
  if (!lines.length) return null;
  return h(
    "ul",
    { class: "specials", key: "specials" },
    lines.map((line, at) => h("li", { key: at }, line)),
  );
}
