/** A player's wishes between Conflicts: to heal a Weakness, or to gain an Aspect. */

import { h } from "#core/dom.js";
import { fold, form, line, menu, press } from "#core/parts.js";
import { t, textOf } from "#core/texts.js";

/** @typedef {import("#core/types.js").Ui} Ui */

const MOST = 200;

/**
 * The part of a player's page; null during a Conflict or without a sheet.
 * @param {import("#core/types.js").State} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Actor} actor
 */
export function own(state, ui, { name, sheet, wish, wish_told: wishTold, declined, declined_told: declinedTold }) {
  const mine = /** @type {{weaknesses?: string[]}|null} */ (sheet);
  if (state.phase !== "idle" || !state.story || !mine) return null;
  const title = t("tourists.wish");
  /** @param {import("#core/types.js").Part[]} inside */
  const part = (...inside) =>
    h(
      "section",
      { class: "own-level", key: "wish", "aria-labelledby": "own-wish" },
      h("h2", { id: "own-wish", key: "title" }, title),
      inside,
    );
  if (wish)
    return part(
      h("p", { key: "wish" }, t("tourists.wish.asked", { what: wishTold ? textOf(wishTold) : "" })),
      press(ui, t("tourists.wish.less"), { command: "wish", name }, { place: `unwish ${name}`, seen: true }),
    );
  const key = `wish-${name}`;
  const said = form(ui, key);
  const aspect = (said.aspect ?? "").trim();
  const weakness = said.weakness ?? mine.weaknesses?.[0] ?? "";
  /** @param {Record<string, unknown>} wants @param {string} why */
  const ask = (wants, why = "") =>
    press(
      ui,
      t("tourists.wish.ask"),
      { command: "wish", name, wants },
      { place: `wish ${name}`, kind: "offer default", why, hush: true, seen: true },
    );
  return part(
    declined &&
      h(
        "p",
        { class: "declined", key: "declined" },
        t(declined.because ? "tourists.wish.no.because" : "tourists.wish.no", {
          what: declinedTold ? textOf(declinedTold) : "",
          because: declined.because ?? "",
        }),
      ),
    (mine.weaknesses?.length ?? 0) > 0 &&
      fold(ui, `${key}-heal`, t("tourists.wish.heal"), () =>
        h(
          "div",
          { class: "form", key: "heal" },
          menu(
            ui,
            key,
            "weakness",
            t("tourists.wish.heal.which"),
            (mine.weaknesses ?? []).map((each) => [each, each]),
            weakness,
          ),
          ask({ do: "heal", name, words: weakness }),
        ),
      ),
    fold(ui, `${key}-aspect`, t("tourists.wish.aspect"), () =>
      h(
        "div",
        { class: "form", key: "aspect" },
        line(ui, key, "aspect", t("tourists.wish.aspect.words"), { max: MOST }),
        ask({ do: "gain-aspect", name, words: aspect }, aspect ? "" : t("tourists.wish.aspect.none")),
      ),
    ),
  );
}
