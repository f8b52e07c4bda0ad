/** What the GM's panels are made of. A press is written on its button; `act.js` reads it there. */

/** @typedef {import("./types").Part} Part */
/** @typedef {import("./types").Ui} Ui */

import { placeOf } from "./commands.js";
import { h } from "./dom.js";
import { ask } from "./explain.js";
import { t } from "./texts.js";
import { showsFirst } from "./weight.js";

/**
 * A button that gives a command; one of some weight opens a sheet that shows first what it will
 * change, and is done from there.
 * @param {Ui} ui
 * @param {Part} label
 * @param {import("./types").Command|import("./types").Command[]} command without id and version
 * @param {Object} options
 * @param {string} options.place names the button among all
 * @param {string} [options.kind] its look: `quiet`, `offer`, `offer default`
 * @param {string} [options.more] a line below the label
 * @param {string} [options.why] why it cannot be pressed now: it stays in reach and says so
 * @param {boolean} [options.hush] the reason is told when it is pressed, and does not stand on it
 * @param {string|null} [options.name] what it is called for those who hear it
 * @param {string|null} [options.after] a form that is emptied when it was done
 * @param {boolean} [options.seen] whether what it will change is shown beside it
 */
export function press(ui, label, command, { place, kind = "quiet", more = "", why = "", hush = false, name = null, after = null, seen = false }) {
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
    ((why && !hush) || more) && h("small", {}, why || more),
  );
}

/**
 * A press that decides for somebody.
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
 * A press that tells the story on.
 * @param {Ui} ui
 * @param {Part} label
 * @param {import("./types").DeedValues} deed
 * @param {Object} [options] those of `press`
 */
export const tell = (ui, label, deed, options = {}) =>
  press(ui, label, { command: "tell-story", deed }, { place: `tell ${deedKey(deed)}`, ...options });

/**
 * A deed as a button's name bears it.
 * @param {import("./types").DeedValues} deed
 */
export const deedKey = (deed) => Object.values(deed).map((each) => (typeof each === "object" ? JSON.stringify(each) : each)).join(" ");

/**
 * A button that changes only what this page shows.
 * @param {Part} label
 * @param {Record<string, string|number>} data its `data-` attributes
 * @param {Object} [options]
 * @param {boolean|null} [options.pressed]
 * @param {string} [options.kind] its look
 * @param {string} [options.why] why it cannot be pressed now
 * @param {boolean} [options.hush] the reason is told when it is pressed
 * @param {string|null} [options.name] what it is called for those who hear it
 * @param {boolean|null} [options.expanded]
 * @param {boolean} [options.current]
 * @param {string|null} [options.key]
 */
export const turn = (label, data, { pressed = null, kind = "quiet", why = "", hush = false, name = null, expanded = null, current = false, key = null } = {}) =>
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
 * What was filled into a form so far.
 * @param {Ui} ui
 * @param {string} name
 * @param {Record<string, any>} [first] what a field says may be anything, as JSON
 * @returns {Record<string, any>}
 */
export const form = (ui, name, first = {}) => ({ ...first, ...ui.forms[name] });

/**
 * A button that fills a field: of several, the one that holds.
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
 * Room for a text of several lines.
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
 * One of several, as a menu.
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
 * A number with less and more.
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
 * A part of a panel that opens and closes; what is inside is made only while it is open.
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
    turn(typeof label === "string" ? h("span", { class: "says" }, label) : label, { fold: key }, { kind: "folder", expanded: open }),
    open && h("div", { class: "inside", key: "inside" }, inside()),
  );
}

/**
 * A panel with its heading, and a button that tells what it is for where the page's words can be asked.
 * @param {string} key
 * @param {string} title
 * @param {...Part} inside
 */
export const panel = (key, title, ...inside) =>
  h("section", { class: `panel ${key}`, key, "aria-labelledby": `h-${key}` },
    h("div", { class: "panel-head", key: "head" }, h("h2", { id: `h-${key}` }, title), ask(`panel.${key}`)), inside);

/**
 * Buttons side by side.
 * @param {...Part} inside
 */
export const row = (...inside) => h("div", { class: "row" }, inside);
