/** Entry of dice thrown by hand: six large faces to press, up to the number of dice in the roll. */

import { h } from "#core/dom.js";
import { decide, form, row, turn } from "#core/parts.js";
import { t } from "#core/texts.js";
import { pips } from "./dice.js";

export { pips } from "./dice.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("./types").Tale} Tale */

const FACES = [1, 2, 3, 4, 5, 6];
/**
 * A form's name, unique to this phase.
 * @param {Tale} state
 * @param {string} who
 * @param {string} what
 */
export const formOf = ({ scene, version }, who, what) => `${what}-${scene}-${version.phase}-${who}`;

/**
 * The roll whose dice this actor enters: its own, or an NPC's.
 * @param {Tale} state
 * @param {string} actor
 */
export function thrownBy({ game }, actor) {
  const rolls = game.rolling?.rolls ?? {};
  const npc = Object.keys(rolls).find((name) => rolls[name]?.thrown_by === actor && !rolls[name].dice);
  return rolls[actor] ? actor : (npc ?? "");
}

/**
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function throwing(state, ui, { actor }) {
  const name = thrownBy(state, actor);
  const roll = state.game.rolling?.rolls[name];
  if (!roll) return null;
  const key = formOf(state, actor, `dice-${name}`);
  /** @type {number[]} */
  const said = form(ui, key).dice ?? [];
  const full = said.length >= roll.count;
  /** @param {number[]} dice */
  const data = (dice) => ({ form: key, field: "dice", value: JSON.stringify(dice), json: "" });
  const left = roll.count - said.length;
  return h(
    "div",
    { class: "own-dice", key: "dice" },
    h(
      "div",
      { class: "own-faces", key: "faces", role: "group", "aria-label": t("tricube.own.dice.which") },
      FACES.map((face) =>
        turn(pips(face), data([...said, face]), {
          kind: "offer own-face",
          name: t("tricube.own.dice.face", { face }),
          key: `face-${face}`,
          why: full ? t("tricube.own.dice.full", { number: roll.count, count: roll.count }) : "",
          hush: true,
        }),
      ),
    ),
    h(
      "p",
      {
        class: "own-thrown",
        key: "thrown",
        role: "status",
        "aria-label": said.length ? t("tricube.own.dice.so-far", { dice: said.join(", ") }) : null,
      },
      said.map((face, at) => h("span", { key: `lies-${at}` }, pips(face))),
    ),
    row(
      decide(
        ui,
        full
          ? t("tricube.own.dice.enter", { dice: said.join(" ") })
          : t("tricube.own.dice.left", { number: left, count: left }),
        actor,
        `dice ${said.join(" ")}`,
        {
          kind: "offer default",
          why: full ? "" : t("tricube.own.dice.left", { number: left, count: left }),
          hush: true,
        },
      ),
      said.length > 0 && turn(t("tricube.own.dice.back"), data(said.slice(0, -1)), { key: "back" }),
    ),
  );
}
