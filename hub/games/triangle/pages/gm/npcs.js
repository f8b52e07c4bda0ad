/** NPCs: their sheets, and quick creation of new ones. */

import { h } from "#core/dom.js";
import { draw } from "#core/forms.js";
import { fold, form, line, menu, panel, press, row, tell } from "#core/parts.js";
import { portrait } from "#core/portrait.js";
import { list, pretty, t } from "#core/texts.js";
import { choiceName, specialName } from "../cards.js";
import { sign, TYPES } from "../shapes.js";
import { offered } from "./cast.js";
import { WORDING } from "./holds.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Deed} Deed */

const LIKE = "npc-like";
/** A separate form, so that the chosen pattern is kept for the next NPC. */
const NAME = "npc-name";
const NEW = "npc-new";

/** The fields' labels. @type {Record<string, () => string>} */
const LABELS = {
  name: () => t("gm.npc.name"),
  level: () => t("gm.level"),
  known: () => t("hand.move"),
  special: () => t("hand.special"),
};
const SHEET = { ...WORDING, label: (/** @type {string} */ of) => LABELS[of]?.() ?? WORDING.label(of) };

/**
 * Energy as signs with numbers: current and maximum.
 * @param {{energy: import("../wire").Energy, max: import("../wire").Energy}} sheet
 */
export const energyLine = ({ energy, max }) =>
  h(
    "span",
    { class: "points", key: "points" },
    TYPES.map((type) =>
      h(
        "span",
        { class: type, key: type },
        sign(type, t(`${type}.letter`)),
        h("b", {}, energy[type]),
        h("i", {}, `/${max[type]}`),
      ),
    ),
  );

/**
 * @param {State} state in a conflict newer than the sheet
 * @param {Ui} ui
 * @param {[string, import("../wire").Sheet]} npc
 */
function npc(state, ui, [name, sheet]) {
  const left = sheet.specials.map(({ id, used }) => specialName(id) + (used ? ` (${t("gm.used")})` : ""));
  const recover = ui.deeds.find((/** @type {Deed} */ { deed }) => deed.do === "recover" && deed.name === name);
  return fold(
    ui,
    `npc-${name}`,
    [portrait(name), h("b", {}, pretty(name)), energyLine(state.game?.characters?.[name] ?? sheet)],
    () => [
      h("p", {}, t("gm.npc.level", { level: sheet.level }), sheet.dead ? `, ${t("state.dead")}` : ""),
      h("p", {}, list(sheet.moves.map(({ id, variant }) => choiceName("move", `${id} ${variant}`.trim())))),
      left.length > 0 && h("p", {}, t("specials.left", { specials: list(left) })),
      row(
        recover && tell(ui, t("gm.npc.recover"), recover.deed, { why: recover.reason }),
        press(
          ui,
          t("gm.npc.remove"),
          { command: "remove-character", name },
          {
            place: `remove ${name}`,
            name: `${t("gm.npc.remove")}: ${pretty(name)}`,
          },
        ),
      ),
    ],
  );
}

/** A form for one more NPC of a known sort; the suggested name can be changed. @param {Ui} ui */
function likeForm(ui) {
  const sorts = offered(ui, "npc").filter(({ deed }) => deed.like);
  const chosen = sorts.find(({ deed }) => deed.like === form(ui, LIKE).like) ?? sorts[0];
  if (!chosen) return null;
  const { name: suggested, like = "" } = chosen.deed;
  const name = (form(ui, NAME).name ?? suggested).trim();
  return h(
    "div",
    { class: "form", "data-enter": "", key: "like" },
    menu(
      ui,
      LIKE,
      "like",
      t("gm.npc.like"),
      sorts.map(({ deed }) => [deed.like ?? "", pretty(deed.like ?? "")]),
      like,
    ),
    line(ui, NAME, "name", t("gm.npc.name"), { max: 64, first: suggested }),
    press(
      ui,
      t("gm.npc.add", { name: pretty(name) }),
      { command: "add-character", like, name },
      {
        place: "add like",
        kind: "offer default",
        why: name ? "" : t("gm.npc.nameless"),
        after: NAME,
      },
    ),
  );
}

/** A form for an NPC with its own sheet. @param {Ui} ui */
function newForm(ui) {
  const offer = offered(ui, "npc").find(({ deed }) => !deed.like);
  if (!offer) return null;
  const { deed, fields = [] } = offer;
  const special = fields.filter(({ of }) => of === "special");
  const { parts, values, reason } = draw(
    ui,
    NEW,
    fields.filter((field) => !special.includes(field)),
    SHEET,
  );
  const more = draw(ui, NEW, special, SHEET);
  return h(
    "div",
    { class: "form", "data-enter": "", key: "new" },
    parts,
    special.length > 0 && fold(ui, "npc-specials", t("hand.special"), () => more.parts),
    tell(
      ui,
      t("gm.npc.make"),
      { ...deed, ...values, ...more.values },
      { place: "add sheet", kind: "offer default", why: reason, after: NEW },
    ),
  );
}

/**
 * The NPCs; null without a story.
 * @param {State} state
 * @param {Ui} ui
 */
export function npcPanel(state, ui) {
  if (!state.story) return null;
  const npcs = /** @type {Array<[string, import("../wire").Sheet]>} */ (Object.entries(ui.console.npcs));
  return panel(
    "npcs",
    t("gm.npcs"),
    npcs.length ? npcs.map((each) => npc(state, ui, each)) : h("p", { class: "hint" }, t("gm.npcs.none")),
    fold(ui, "npc-add", t("gm.npc.new"), () => [
      likeForm(ui),
      fold(ui, "npc-form", t("gm.npc.own"), () => newForm(ui)),
    ]),
  );
}
