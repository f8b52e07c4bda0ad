/**
 * Building blocks of the GM's panels. A button carries its command as data; `act.js` reads it
 * there.
 */

/** @typedef {import("./types").Part} Part */
/** @typedef {import("./types").Ui} Ui */

import { placeOf } from "./commands.js";
import { h } from "./dom.js";
import { ask } from "./explain.js";
import { t } from "./texts.js";
import { showsFirst } from "./weight.js";

/**
 * A button that gives a command. A weighty one first opens a sheet with a preview of the changes,
 * and is confirmed there.
 * @param {Ui} ui
 * @param {Part} label
 * @param {import("./types").Command|import("./types").Command[]} command without id and version
 * @param {Object} options
 * @param {string} options.place identifies the button
 * @param {string} [options.kind] its look: `quiet`, `offer`, `offer default`
 * @param {string} [options.more] a line below the label
 * @param {string} [options.why] why it is disabled now; it stays focusable and says so
 * @param {boolean} [options.hush] show the reason only on a press
 * @param {string|null} [options.name] label for screen readers
 * @param {string|null} [options.after] a form to clear afterwards
 * @param {boolean} [options.seen] whether its effect is previewed next to it
 */
export function press(
  ui,
  label,
  command,
  { place, kind = "quiet", more = "", why = "", hush = false, name = null, after = null, seen = false },
) {
  const waits = ui.pending(place);
  const first = !seen && [command].flat().some(showsFirst);
  return h(
    "button",
    {
      type: "button",
      key: place,
      class: `${kind} ${waits ? "waits" : ""}`,
      "data-place": place,
      "data-press": JSON.stringify(command),
      "data-why": why || null,
      "data-first": first ? String(name ?? label) : null,
      "data-after": after,
      "aria-disabled": why || waits ? "true" : null,
      "aria-label": name,
    },
    h("b", {}, label),
    ((why && !hush) || more) && h("small", {}, why && !hush ? why : more),
  );
}

/**
 * A button that decides for an actor.
 * @param {Ui} ui
 * @param {Part} label
 * @param {string} actor
 * @param {string} choice
 * @param {Object} [options] those of `press`
 */
export const decide = (ui, label, actor, choice, options = {}) => {
  const command = { command: "decide", actor, choice };
  return press(ui, label, command, { place: placeOf(command), ...options });
};

/**
 * A button that does a deed of the story.
 * @param {Ui} ui
 * @param {Part} label
 * @param {import("./types").DeedValues} deed
 * @param {Object} [options] those of `press`
 */
export const tell = (ui, label, deed, options = {}) =>
  press(ui, label, { command: "tell-story", deed }, { place: `tell ${deedKey(deed)}`, ...options });

/**
 * A deed as part of a button's place.
 * @param {import("./types").DeedValues} deed
 */
export const deedKey = (deed) =>
  Object.values(deed)
    .map((each) => (typeof each === "object" ? JSON.stringify(each) : each))
    .join(" ");

/**
 * A button that changes only this page.
 * @param {Part} label
 * @param {Record<string, string|number>} data its `data-` attributes
 * @param {Object} [options]
 * @param {boolean|null} [options.pressed]
 * @param {string} [options.kind] its look
 * @param {string} [options.why] why it is disabled now
 * @param {boolean} [options.hush] show the reason only on a press
 * @param {string|null} [options.name] label for screen readers
 * @param {boolean|null} [options.expanded]
 * @param {boolean} [options.current]
 * @param {string|null} [options.key]
 */
export const turn = (
  label,
  data,
  {
    pressed = null,
    kind = "quiet",
    why = "",
    hush = false,
    name = null,
    expanded = null,
    current = false,
    key = null,
  } = {},
) =>
  h(
    "button",
    {
      type: "button",
      key: key ?? Object.values(data).join(" "),
      class: kind,
      "aria-pressed": pressed === null ? null : String(pressed),
      "aria-current": current ? "page" : null,
      "aria-expanded": expanded === null ? null : String(expanded),
      "aria-label": name,
      "aria-disabled": why ? "true" : null,
      "data-why": why || null,
      ...Object.fromEntries(Object.entries(data).map(([key, value]) => [`data-${key}`, value])),
    },
    label,
    why && !hush && h("small", {}, why),
  );

/**
 * The values entered in a form so far.
 * @param {Ui} ui
 * @param {string} name
 * @param {Record<string, any>} [first] a field's value may be any JSON
 * @returns {Record<string, any>}
 */
export const form = (ui, name, first = {}) => ({ ...first, ...ui.forms[name] });

/**
 * A button that sets a field to one of several values.
 * @param {Ui} ui
 * @param {string} name
 * @param {string} field
 * @param {string} value
 * @param {Part} label
 * @param {Object} [options] those of `turn`
 */
export const choose = (ui, name, field, value, label, options = {}) =>
  turn(label, { form: name, field, value }, { pressed: form(ui, name)[field] === value, ...options });

/**
 * A line to write in.
 * @param {Ui} ui
 * @param {string} name
 * @param {string} field
 * @param {string} label
 * @param {{max?: number, first?: string, hint?: string}} [options]
 */
export const line = (ui, name, field, label, { max = 120, first = "", hint = "" } = {}) =>
  h(
    "label",
    { class: "line", key: `line-${name}-${field}` },
    h("span", {}, label),
    h("input", {
      type: "text",
      maxlength: max,
      autocomplete: "off",
      placeholder: hint || null,
      "data-form": name,
      "data-field": field,
      "data-first": first || null,
      key: `input-${name}-${field}`,
    }),
  );

/**
 * A text field of several lines.
 * @param {string} name
 * @param {string} field
 * @param {string} label
 * @param {{max: number, first?: string, rows?: number}} options
 */
export const area = (name, field, label, { max, first = "", rows = 8 }) =>
  h(
    "label",
    { class: "line", key: `area-${name}-${field}` },
    h("span", {}, label),
    h("textarea", {
      rows,
      maxlength: max,
      spellcheck: "false",
      "data-form": name,
      "data-field": field,
      "data-first": first || null,
      key: `text-${name}-${field}`,
    }),
  );

/**
 * A menu to choose one option.
 * @param {Ui} ui
 * @param {string} name
 * @param {string} field
 * @param {string} label
 * @param {string[][]} options `[value, words]`
 * @param {string} [first]
 */
export const menu = (ui, name, field, label, options, first = "") => {
  const now = form(ui, name)[field] ?? first;
  return h(
    "label",
    { class: "line", key: `menu-${name}-${field}` },
    h("span", {}, label),
    h(
      "select",
      { "data-form": name, "data-field": field, "data-first": first || null, key: `select-${name}-${field}` },
      options.map(([value, words]) => h("option", { value, selected: value === now, key: `option-${value}` }, words)),
    ),
  );
};

/**
 * A number with buttons for less and more.
 * @param {Ui} ui
 * @param {string} name
 * @param {string} field
 * @param {string} label
 * @param {{first?: number, least?: number, most?: number}} [options]
 */
export function stepper(ui, name, field, label, { first = 0, least = 0, most = 99 } = {}) {
  const now = Number(form(ui, name)[field] ?? first);
  /**
   * @param {number} by
   * @param {string} words
   * @param {string} sign
   * @param {boolean} off
   */
  const knob = (by, words, sign, off) =>
    h(
      "button",
      {
        type: "button",
        class: "step",
        key: `${field}${by}`,
        "data-form": name,
        "data-field": field,
        "data-value": now + by,
        "aria-label": `${label}: ${t(words)}`,
        disabled: off,
      },
      sign,
    );
  return h(
    "div",
    { class: `stepper ${field}`, key: `stepper-${name}-${field}`, role: "group", "aria-label": label },
    h("span", { class: "what" }, label),
    knob(-1, "gm.less", "−", now <= least),
    h("output", {}, now),
    knob(1, "gm.more", "+", now >= most),
  );
}

/**
 * A collapsible part of a panel; its content is only built while it is open.
 * @param {Ui} ui
 * @param {string} key
 * @param {Part} label
 * @param {() => Part} inside
 */
export function fold(ui, key, label, inside) {
  const open = ui.folds.has(key);
  return h(
    "div",
    { class: `fold ${open ? "open" : ""}`, key: `fold-${key}` },
    turn(
      typeof label === "string" ? h("span", { class: "says" }, label) : label,
      { fold: key },
      { kind: "folder", expanded: open },
    ),
    open && h("div", { class: "inside", key: "inside" }, inside()),
  );
}

/**
 * A panel with its heading and, where the page explains words, a button for its explanation.
 * @param {string} key
 * @param {string} title
 * @param {...Part} inside
 */
export const panel = (key, title, ...inside) =>
  h(
    "section",
    { class: `panel ${key}`, key, "aria-labelledby": `h-${key}` },
    h("div", { class: "panel-head", key: "head" }, h("h2", { id: `h-${key}` }, title), ask(`panel.${key}`)),
    inside,
  );

/**
 * Buttons side by side.
 * @param {...Part} inside
 */
export const row = (...inside) => h("div", { class: "row" }, inside);
