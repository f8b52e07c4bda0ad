/** A player's unprompted actions: perks without a roll, and cures. */

import { h } from "#core/dom.js";
import { decide, fold, form, line, menu, row } from "#core/parts.js";
import { pretty, t } from "#core/texts.js";
import { formOf } from "./asked-dice.js";
import { perksOf } from "./asked-karma.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Asking} Asking */
/** @typedef {import("./types").Tale} Tale */

const MOST = 300;
const USES = ["impact", "automatic", "bypass", "attempt", "flavour"];
/** Uses that cost nothing. */
const FREE = ["attempt", "flavour"];

/**
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function using(state, ui, { actor }) {
  const one = state.game.cast[actor];
  if (!one) return null;
  const key = formOf(state, actor, "perk");
  return fold(ui, key, t("tricube.own.perk"), () => {
    const said = form(ui, key);
    const { part, picked } = perksOf(ui, key, one.perks);
    const challenges = state.game.listed.filter(
      (name) => !state.game.challenges[name]?.overcome && !state.game.challenges[name]?.bypassed.includes(actor),
    );
    const uses = USES.filter((use) => use !== "bypass" || challenges.length > 0);
    const use = said.use ?? uses[0];
    const told = (said.told ?? "").trim();
    const challenge = said.challenge ?? challenges[0];
    const perk = { perks: picked, use, ...(use === "bypass" && { challenge }), ...(told && { told }) };
    const costs = FREE.includes(use) ? "free" : one.karma ? "karma" : "instead";
    return h(
      "div",
      { class: "form", key: "perk" },
      part,
      menu(
        ui,
        key,
        "use",
        t("tricube.own.perk.use"),
        uses.map((each) => [each, t(`tricube.own.perk.${each}`)]),
        use,
      ),
      use === "bypass" &&
        menu(
          ui,
          key,
          "challenge",
          t("tricube.own.perk.which"),
          challenges.map((each) => [each, each]),
          challenge,
        ),
      line(ui, key, "told", t("tricube.own.perk.told"), { max: MOST }),
      h("p", { class: "hint", key: "costs" }, t(`tricube.own.perk.costs.${costs}`)),
      row(
        decide(
          ui,
          t(costs === "free" ? "tricube.own.perk.do" : "tricube.wish.ask"),
          actor,
          `perk ${JSON.stringify(perk)}`,
          { kind: "offer default", why: picked.length ? "" : t("tricube.wish.cure.perks"), hush: true },
        ),
      ),
    );
  });
}

/**
 * @param {Tale} state
 * @param {Ui} ui
 * @param {Asking} asking
 */
export function curing(state, ui, { actor }) {
  const { cast, around } = state.game;
  const one = cast[actor];
  if (!one) return null;
  // A character who is out can only cure itself.
  const patients = [actor, ...around.filter((who) => who !== actor && one.absent === null)];
  const found = patients.flatMap((who) =>
    cast[who] && cast[who].absent !== "dead" ? cast[who].afflictions.map((each) => ({ who, ...each })) : [],
  );
  if (!found.length) return null;
  const key = formOf(state, actor, "cure");
  return fold(ui, key, t("tricube.wish.cure"), () => {
    const { part, picked } = perksOf(ui, key, one.perks);
    const at = Number(form(ui, key).which ?? 0);
    const { who = actor, name = "", lasts = "longer" } = found[at] ?? found[0] ?? {};
    const stuck = lasts === "permanent" && !one.karma;
    const costs =
      lasts === "permanent"
        ? "tricube.wish.cure.costs.permanent"
        : one.karma
          ? "tricube.wish.cure.costs"
          : "tricube.own.perk.costs.instead";
    const said = { affliction: name, perks: picked, ...(who !== actor && { who }) };
    return h(
      "div",
      { class: "form", key: "cure" },
      menu(
        ui,
        key,
        "which",
        t("tricube.field.affliction"),
        found.map((each, index) => [
          String(index),
          each.who === actor ? each.name : t("tricube.wish.cure.of", { who: pretty(each.who), affliction: each.name }),
        ]),
        String(at),
      ),
      part,
      h("p", { class: "hint", key: "costs" }, t(costs)),
      row(
        decide(ui, t("tricube.wish.ask"), actor, `cure ${JSON.stringify(said)}`, {
          kind: "offer default",
          why: stuck ? t("tricube.wish.cure.permanent.none") : picked.length ? "" : t("tricube.wish.cure.perks"),
          hush: true,
        }),
      ),
    );
  });
}
