/** Characters that players have built for their seats, each with its sheet, to accept or refuse. */

import { h } from "#core/dom.js";
import { panel, press, row, tell } from "#core/parts.js";
import { pretty, seatName, t } from "#core/texts.js";
import { written } from "../lasting.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/** @param {State} state @param {Ui} ui */
export function asking(state, ui) {
  const { reserve = {} } = /** @type {Partial<import("../wire").OwnConsole>} */ (ui.console.own ?? {});
  const joins = /** @type {Array<{deed: import("#core/types.js").DeedValues, reason: string}>} */ (ui.deeds).filter(
    ({ deed }) => deed.do === "join",
  );
  const asked = joins.flatMap((each) => {
    const name = String(each.deed.name);
    const at = state.seats.find(({ seat, characters }) => seat !== ui.console.gm_seat && characters.includes(name));
    const sheet = reserve[name];
    return at && sheet ? [{ ...each, name, seat: at.seat, sheet }] : [];
  });
  if (!asked.length) return null;
  return panel(
    "tale-asked",
    t("tricube.gm.asking"),
    asked.map(({ deed, reason, name, seat, sheet }) =>
      h(
        "div",
        { class: "form", key: name, role: "group", "aria-label": pretty(name) },
        h("p", { key: "who" }, t("tricube.gm.asking.who", { name: pretty(name), seat: seatName(seat) })),
        written(sheet),
        row(
          tell(ui, t("tricube.gm.asking.yes", { name: pretty(name) }), deed, { kind: "offer default", why: reason }),
          press(
            ui,
            t("tricube.gm.asking.no"),
            { command: "remove-character", name },
            { place: `remove ${name}`, name: t("tricube.gm.asking.no.of", { name: pretty(name) }) },
          ),
        ),
      ),
    ),
  );
}
