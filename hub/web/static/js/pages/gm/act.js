/**
 * Everything that is pressed or written in the GM's panels, heard at one place. What a button does
 * stands on it: `data-press` a command, `data-form` a field to fill, `data-fold`, `data-tab`, `data-go` (a tab, from elsewhere),
 * `data-sheet` and `data-do` what only the page shows.
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
const NOTHING = { undo: [], npcs: {}, own: null, wishes: [], scenes: [], overrules: [], unreliable: {}, blind: [], hindrances: [], stuck: [], directs: false, lies: {}, seen_ms: {}, gm_seat: null, stand_ins: {}, plays_for: [], sitting: {} };

/**
 * What a page knows that embeds the panels; each frame of the hub has its place in it.
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
 * @param {HTMLElement} root where to listen
 * @param {Object} page
 * @param {Ui} page.ui
 * @param {() => State|null} page.state
 * @param {() => void} page.render
 * @param {Record<string, (value: string) => void>} [page.doing] what `data-do` can name
 * @param {(tab: string) => void} [page.onTab] a tab was opened
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
    if (first) return void (ui.sheet = { name: "deed", given: { command: given, label: first, place: `do ${place}`, after } });
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
    // A question whether somebody is sure stands until anything else is pressed.
    if (!data.do) ui.sure = null;
    if (data.press) command(data);
    else if (data.pick) ui.picked = isPicked(ui, data.of ?? "", data.pick) ? null : { actor: data.of, choice: data.pick };
    else if (data.form) fill(data.form, data.field ?? "", valueOf(ui, data));
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

  // Enter in a line presses the button that the form is for.
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    const main = nearest(event, "[data-enter]")?.querySelector("[data-main], .default");
    if (main instanceof HTMLElement) main.click();
  });
}

/**
 * Hear what is written into lines, and chosen from menus.
 * @param {HTMLElement} root
 * @param {(form: string, field: string, value: string) => void} fill
 */
export function letWrite(root, fill) {
  /** @param {Event} event */
  const written = ({ target }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
    if (isField && target.dataset.form) fill(target.dataset.form, target.dataset.field ?? "", target.value);
  };
  root.addEventListener("input", written);
  // Of a line a browser also tells this while it is being taken off the page, in the midst of a drawing.
  root.addEventListener("change", (event) => event.target instanceof HTMLSelectElement && written(event));
}

/**
 * Whether this card of somebody's is picked, to be sealed with the next press.
 * @param {Ui} ui
 * @param {string} actor
 * @param {string} choice
 */
export const isPicked = ({ picked }, actor, choice) => picked?.actor === actor && picked.choice === choice;

/**
 * What a button fills its field with; of a field with several values, this one in or out.
 * @param {Ui} ui
 * @param {DOMStringMap} button
 */
export function valueOf(ui, { form = "", field = "", value = "", toggle, json }) {
  if (json !== undefined) return JSON.parse(value);
  if (toggle === undefined) return value;
  /** @type {string[]} */
  const now = ui.forms[form]?.[field] ?? [];
  return now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
}

/**
 * Bring what stands in lines and menus to what the forms hold; what is being written stays.
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
 * An answer has come: empty the form that it was about.
 * @param {Ui} ui
 */
export function answered(ui) {
  const { outcome } = ui.commander;
  if (ui.after && outcome?.place === ui.after.place) {
    if (outcome.ok) delete ui.forms[ui.after.form];
    ui.after = null;
  }
}
