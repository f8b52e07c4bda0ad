// @ts-nocheck
/**
 * Everything that is pressed or written in the GM's panels, heard at one place. What a button does
 * stands on it: `data-press` a command, `data-form` a field to fill, `data-fold`, `data-tab`,
 * `data-sheet` and `data-do` what only the page shows.
 */

import { Besides } from "../../core/besides.js";
import { placeOf } from "../../core/commands.js";
import { editSplit } from "../../games/triangle/split.js";
import { t } from "../../core/texts.js";

/**
 * What a page knows that embeds the panels; each frame of the hub has its place in it.
 * @param {Object} more
 */
export const newUi = (more = {}) => ({
  tab: "now",
  wide: false,
  questions: [],
  deeds: [],
  cast: [],
  console: { undo: [], npcs: {}, templates: [], barred: {}, level_ups: {}, overrules: [], unreliable: {}, blind: [], hindrances: [], lies: {}, gm_seat: null, at_zero: "nothing" },
  hands: {},
  besides: new Besides(),
  keys: null,
  forms: {},
  folds: new Set(),
  splits: {},
  sure: null,
  sheet: null,
  preview: null,
  done: null,
  picked: null,
  note: "",
  ...more,
});

/**
 * @param {{addEventListener: Function}} root where to listen
 * @param {Object} page
 * @param {Object} page.ui
 * @param {() => Object|null} page.state
 * @param {() => void} page.render
 * @param {Object<string, (value: string) => void>} [page.doing] what `data-do` can name
 * @param {(tab: string) => void} [page.onTab] a tab was opened
 */
export function letAct(root, { ui, state, render, doing = {}, onTab = () => {} }) {
  const fill = (name, field, value) => {
    ui.forms[name] = { ...ui.forms[name], [field]: value };
  };

  const command = ({ press, place, first, after }) => {
    if (ui.pending(place)) return (ui.note = t("gm.on-its-way"));
    const given = JSON.parse(press);
    if (first) return (ui.sheet = { name: "deed", given: { command: given, label: first, place: `do ${place}`, after } });
    if (Array.isArray(given)) return given.forEach(decide);
    if (given.choice?.startsWith("special ")) ui.besides.press(place, given, ui.commander.basis);
    ui.commander.press(given, place);
    if (after) ui.after = { place, form: after };
  };

  const decide = ({ command: name, actor, choice }) => {
    ui.commander.press({ command: name, actor, choice }, placeOf({ command: name, actor, choice }));
  };

  root.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    if (!button || button.disabled) return;
    const { dataset: data } = button;
    ui.note = data.why ?? "";
    if (data.why) return render();
    // A question whether somebody is sure stands until anything else is pressed.
    if (!data.do) ui.sure = null;
    if (data.press) command(data);
    else if (data.pick) ui.picked = isPicked(ui, data.of, data.pick) ? null : { actor: data.of, choice: data.pick };
    else if (data.form) fill(data.form, data.field, valueOf(ui, data));
    else if (data.fold) ui.folds.delete(data.fold) || ui.folds.add(data.fold);
    else if (data.tab) {
      ui.tab = data.tab;
      if (data.show) ui.folds.add(data.show);
      scrollTo({ top: 0 });
      onTab(data.tab);
    } else if (data.sheet !== undefined) ui.sheet = data.sheet ? { name: data.sheet } : null;
    else if (data.split || data.suggested) ui.splits = editSplit(state(), ui, data);
    else if (data.command === "decide") decide(data);
    else if (data.do) doing[data.do]?.(data.of);
    else return;
    render();
  });

  const written = ({ target }) => {
    if (!target.dataset?.form || target.tagName === "BUTTON") return;
    fill(target.dataset.form, target.dataset.field, target.value);
    render();
  };
  root.addEventListener("input", written);
  // Of a line a browser also tells this while it is being taken off the page, in the midst of a drawing.
  root.addEventListener("change", (event) => event.target.tagName === "SELECT" && written(event));

  // Enter in a line presses the button that the form is for.
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    event.target.closest("[data-enter]")?.querySelector("[data-main], .default")?.click();
  });
}

/** Whether this card of somebody's is picked, to be sealed with the next press. */
export const isPicked = ({ picked }, actor, choice) => picked?.actor === actor && picked.choice === choice;

/** What a button fills its field with; of a field with several values, this one in or out. */
function valueOf(ui, { form, field, value, toggle, json }) {
  if (json !== undefined) return JSON.parse(value);
  if (toggle === undefined) return value;
  const now = ui.forms[form]?.[field] ?? [];
  return now.includes(value) ? now.filter((one) => one !== value) : [...now, value];
}

/** Bring what stands in lines and menus to what the forms hold; what is being written stays. */
export function fillLines(root, ui) {
  for (const field of root.querySelectorAll("input[data-form], select[data-form], textarea[data-form]")) {
    const { form, field: name, first = "" } = field.dataset;
    const want = ui.forms[form]?.[name] ?? first;
    if (field.value !== want) field.value = want;
  }
}

/** An answer has come: empty the form that it was about. */
export function answered(ui) {
  const { outcome } = ui.commander;
  if (ui.after && outcome?.place === ui.after.place) {
    if (outcome.ok) delete ui.forms[ui.after.form];
    ui.after = null;
  }
}
