/**
 * Handles all presses and inputs in the GM's panels at one place. A button states its effect:
 * `data-press` a command, `data-form` a field to fill, `data-fold`, `data-tab`, `data-go` (a tab,
 * from elsewhere), `data-sheet` and `data-do` for effects on the page only.
 */

import { Besides } from "../../core/besides.js";
import { placeOf } from "../../core/commands.js";
import { nearest } from "../../core/dom.js";
import { game } from "../../core/game.js";
import { t } from "../../core/texts.js";

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */
/** @typedef {import("../../core/types").Console} Console */

/** @type {Console} */
const NOTHING = {
  undo: [],
  npcs: {},
  own: null,
  wishes: [],
  scenes: [],
  overrules: [],
  unreliable: {},
  blind: [],
  hindrances: [],
  stuck: [],
  directs: false,
  lies: {},
  seen_ms: {},
  gm_seat: null,
  stand_ins: {},
  plays_for: [],
  sitting: {},
};

/**
 * The data of a page that embeds the panels; the hub's frames are stored in it.
 * @param {Partial<Ui>} more
 * @returns {Ui}
 */
export const newUi = (more = {}) => ({
  tab: "now",
  wide: false,
  questions: [],
  asked: [],
  deeds: [],
  cast: [],
  console: NOTHING,
  hands: {},
  besides: new Besides(),
  keys: null,
  forms: {},
  folds: new Set(),
  splits: {},
  sure: null,
  sheet: null,
  done: null,
  picked: null,
  note: "",
  pending: () => false,
  ...more,
});

/**
 * @param {HTMLElement} root element to listen on
 * @param {Object} page
 * @param {Ui} page.ui
 * @param {() => State|null} page.state
 * @param {() => void} page.render
 * @param {Record<string, (value: string) => void>} [page.doing] handlers for `data-do`
 * @param {(tab: string) => void} [page.onTab] called when a tab is opened
 */
export function letAct(root, { ui, state, render, doing = {}, onTab = () => {} }) {
  /**
   * @param {string} name
   * @param {string} field
   * @param {unknown} value
   */
  const fill = (name, field, value) => {
    ui.forms[name] = field === "*" ? value : { ...ui.forms[name], [field]: value };
  };

  /** @param {DOMStringMap} button */
  const command = ({ press = "", place = "", first, after }) => {
    if (ui.pending(place)) return void (ui.note = t(ui.commander.isPast(place) ? "gm.past" : "gm.on-its-way"));
    const given = JSON.parse(press);
    if (first)
      return void (ui.sheet = { name: "deed", given: { command: given, label: first, place: `do ${place}`, after } });
    if (Array.isArray(given)) return given.forEach(decide);
    if (given.choice?.startsWith("special ")) ui.besides.press(place, given, ui.commander.version);
    ui.commander.press(given, place);
    if (ui.sheet) ui.sheet.pressed = place;
    if (after) ui.after = { place, form: after };
  };

  /** @param {{command?: string, actor?: string, choice?: string}} said */
  const decide = ({ command: name = "", actor, choice }) => {
    ui.commander.press({ command: name, actor, choice }, placeOf({ command: name, actor, choice }));
  };

  /** @param {DOMStringMap} data */
  const editPoints = (data) => {
    const now = state();
    if (now) ui.splits = game().edit(now, ui, data);
  };

  root.addEventListener("click", (event) => {
    const button = nearest(event, "button");
    if (!(button instanceof HTMLButtonElement) || button.disabled) return;
    const { dataset: data } = button;
    ui.note = data.why ?? "";
    if (data.why) return render();
    // Any other press cancels a pending confirmation.
    if (!data.do) ui.sure = null;
    if (data.press) command(data);
    else if (data.pick)
      ui.picked = isPicked(ui, data.of ?? "", data.pick) ? null : { actor: data.of, choice: data.pick };
    else if (data.form) fill(data.form, data.field ?? "", readValue(ui, data));
    else if (data.fold) ui.folds.delete(data.fold) || ui.folds.add(data.fold);
    else if (data.tab || data.go) {
      ui.tab = data.tab ?? data.go;
      if (data.show) ui.folds.add(data.show);
      scrollTo({ top: 0 });
      onTab(ui.tab);
    } else if (data.sheet !== undefined) ui.sheet = data.sheet ? { name: data.sheet } : null;
    else if (data.split || data.suggested) editPoints(data);
    else if (data.command === "decide") decide(data);
    else if (data.do) doing[data.do]?.(data.of ?? "");
    else return;
    render();
  });

  letWrite(root, (name, field, value) => {
    fill(name, field, value);
    render();
  });

  // Enter in a line presses the form's main button.
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const main = nearest(event, "[data-enter]")?.querySelector("[data-main], .default");
    if (main instanceof HTMLElement) main.click();
  });
}

/**
 * Handle input in lines, and choices in menus.
 * @param {HTMLElement} root
 * @param {(form: string, field: string, value: string) => void} fill
 */
export function letWrite(root, fill) {
  /** @param {Event} event */
  const written = ({ target }) => {
    const isField =
      target instanceof HTMLInputElement ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement;
    if (isField && target.dataset.form) fill(target.dataset.form, target.dataset.field ?? "", target.value);
  };
  root.addEventListener("input", written);
  // Browsers also fire this for a line that is removed during a drawing.
  root.addEventListener("change", (event) => event.target instanceof HTMLSelectElement && written(event));
}

/**
 * Whether this card of an actor is picked, to be sealed with the next press.
 * @param {Ui} ui
 * @param {string} actor
 * @param {string} choice
 */
export const isPicked = ({ picked }, actor, choice) => picked?.actor === actor && picked.choice === choice;

/**
 * The new value for a button's field; for a field with several values, this one toggled.
 * @param {Ui} ui
 * @param {DOMStringMap} button
 */
export function readValue(ui, { form = "", field = "", value = "", toggle, json }) {
  if (json !== undefined) return JSON.parse(value);
  if (toggle === undefined) return value;
  /** @type {string[]} */
  const now = ui.forms[form]?.[field] ?? [];
  return now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
}

/**
 * Set lines and menus to the forms' values; text being typed is kept.
 * @param {Element} root
 * @param {Ui} ui
 */
export function fillLines(root, ui) {
  /** @type {NodeListOf<HTMLInputElement|HTMLSelectElement|HTMLTextAreaElement>} */
  const fields = root.querySelectorAll("input[data-form], select[data-form], textarea[data-form]");
  for (const field of fields) {
    const { form = "", field: name = "", first = "" } = field.dataset;
    const want = ui.forms[form]?.[name] ?? first;
    if (field.value !== want) field.value = want;
  }
}

/**
 * After a command was done, clear its form.
 * @param {Ui} ui
 */
export function answered(ui) {
  const { outcome } = ui.commander;
  if (ui.after && outcome?.place === ui.after.place) {
    if (outcome.ok) delete ui.forms[ui.after.form];
    ui.after = null;
  }
}
