/** The form that starts a scene, as the hub describes it: a kind of scene, and its fields. */

import { h } from "./dom.js";
import { draw } from "./forms.js";
import { choose, form, press } from "./parts.js";
import { t } from "./texts.js";

/** @typedef {import("./types").Ui} Ui */
/**
 * A family's wording: its fields, a kind of scene, and the start button.
 * @typedef {import("./forms.js").Wording & {kind(type: string): string, start(type: string): string}} Wording
 */

const FORM = "scene";

/**
 * The form. `prepared` is the button that starts the scene from the configuration.
 * @param {Ui} ui
 * @param {Wording} wording
 * @param {import("./types").Drawn} prepared
 */
export function sceneForm(ui, wording, prepared) {
  /** @type {import("./wire").SceneOffer[]} */
  const offers = ui.console.scenes;
  const chosen = offers.find(({ scene }) => scene.type === form(ui, FORM).type) ?? offers[0];
  if (!chosen) return prepared;
  const type = String(chosen.scene.type);
  const { parts, values, reason } = draw(ui, FORM, chosen.fields ?? [], wording);
  const kinds = offers.map(({ scene }) => String(scene.type));
  return h(
    "div",
    { class: "form", "data-enter": "", key: `begin-${type}` },
    kinds.length > 1 &&
      h(
        "div",
        { class: "switch", role: "group", "aria-label": t("gm.scene.kind") },
        kinds.map((each) => choose(ui, FORM, "type", each, wording.kind(each), { pressed: each === type })),
      ),
    parts,
    h(
      "div",
      { class: "starts", key: "starts" },
      press(
        ui,
        wording.start(type),
        { command: "start-scene", scene: { ...chosen.scene, ...values } },
        {
          place: `start ${type}`,
          kind: "offer default",
          why: reason,
          after: FORM,
        },
      ),
    ),
    prepared,
  );
}
