/**
 * The GM's overrule with its reason: a form that shows the resulting sentence before it is sent.
 */

import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { draw } from "../../core/forms.js";
import { campaign, game } from "../../core/game.js";
import { form, line, press, row, turn } from "../../core/parts.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

const FORM = "overrule";

/**
 * The sheet with the form.
 * @param {State} state
 * @param {Ui} ui
 */
export function overruleSheet(state, ui) {
  const close = turn(t("gm.close"), { sheet: "" }, { key: "close" });
  const title = h("h2", { key: "title" }, t("gm.overrule"));
  const rules = state.phase === "idle" ? campaign() : game();
  const { overrules } = ui.console;
  if (!overrules.length) return [title, h("p", { key: "none" }, t("gm.overrule.none")), row(close)];
  /** @type {import("../../core/forms.js").Field} */
  const what = { at: ["what"], kind: "one", of: "what", options: overrules };
  const { parts, values } = draw(ui, FORM, [what], rules.wording);
  const because = (form(ui, FORM).why ?? "").trim();
  const word = { holds: values, because };
  const command =
    state.phase === "idle"
      ? { command: "tell-story", deed: { do: "overrule", ...word } }
      : { command: "overrule", ...word };
  return [
    title,
    h(
      "div",
      { class: "form", "data-enter": "", key: "form" },
      parts,
      line(ui, FORM, "why", t("gm.overrule.why"), { max: 200 }),
      h(
        "p",
        { class: "written", key: "written" },
        t("gm.overrule.written"),
        " ",
        h("q", {}, t("gm.because", { text: rules.held(values), why: because || "…" })),
      ),
      row(
        press(ui, t("gm.overrule.say"), command, {
          place: FORM,
          kind: "offer default",
          why: because ? "" : t("gm.overrule.why.needed"),
          after: FORM,
        }),
        close,
        ask(`holds.${values.what === "zero" ? "at-zero" : values.what}`) ?? ask("overrule"),
      ),
    ),
  ];
}
