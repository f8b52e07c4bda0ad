/**
 * Forms as the hub describes them: fields with kinds and options. The page draws them and sends
 * their values; only the hub knows their meaning.
 */

import { h } from "./dom.js";
import { ask } from "./explain.js";
import { form, line, menu, row, stepper, turn } from "./parts.js";
import { pretty, t } from "./texts.js";

/** @typedef {import("./wire").Field} Field */
/** @typedef {import("./types").Part} Part */
/** @typedef {import("./types").Ui} Ui */

/**
 * A family's wording of its forms.
 * @typedef {Object} Wording
 * @property {(of: string) => string} label a field's label
 * @property {(of: string, value: unknown) => string} said a value in words
 * @property {(of: string, yes: boolean) => string} flag yes or no; without a word for no it is one
 *   toggle button
 */

/** From this many options on, one is chosen from a menu. */
const MENU_FROM = 5;
const ALWAYS_MENUS = ["what", "name"];

/** A value as an attribute. @param {unknown} value */
const key = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * Draw some fields with their values.
 * @param {Ui} ui
 * @param {string} name the form's
 * @param {Field[]} fields
 * @param {Wording} wording
 * @param {string} [within] the choice made before them
 * @returns {{parts: Part[], values: Record<string, unknown>, reason: string}} the drawing, the
 *   form's values, and the hub's objection
 */
export function draw(ui, name, fields, wording, within = "") {
  /** @type {Part[]} */
  const parts = [];
  /** @type {Record<string, unknown>} */
  const values = {};
  let reason = "";
  for (const field of fields) {
    const {
      part,
      value,
      more = [],
      place,
      lacks,
    } = KINDS[field.kind](ui, name, field, wording, `${field.at.join(".")}${within}`);
    parts.push(part);
    put(values, field.at, value);
    const inner = draw(ui, name, more, wording, place ?? within);
    parts.push(...inner.parts);
    Object.assign(values, inner.values);
    reason ||= (lacks && field.reason) || inner.reason;
  }
  return { parts, values, reason };
}

/**
 * Set a value at its path.
 * @param {Record<string, unknown>} values
 * @param {string[]} way
 * @param {unknown} value
 */
function put(values, [first, ...more], value) {
  if (!more.length) values[first] = value;
  else put(/** @type {Record<string, unknown>} */ ((values[first] ??= {})), more, value);
}

/**
 * A field's drawing and value, fields that depend on it, and whether something is missing.
 * @typedef {{part: Part, value: unknown, more?: Field[], place?: string, lacks?: boolean}} Drawn
 */

/** @type {Record<Field["kind"], (ui: Ui, name: string, field: Field, wording: Wording, place: string) => Drawn>} */
const KINDS = {
  one(ui, name, { of, at, options = [], first }, { label, said }, place) {
    const now = form(ui, name)[place] ?? key(first ?? options[0]?.value ?? null);
    const chosen = options.find(({ value }) => key(value) === now) ?? options[0];
    const asMenu = options.length >= MENU_FROM || ALWAYS_MENUS.includes(at[0]);
    const part = asMenu
      ? menu(
          ui,
          name,
          place,
          label(of),
          options.map(({ value }) => [key(value), said(of, value)]),
          key(chosen.value),
        )
      : group(
          place,
          label(of),
          options.map(({ value }) => chip(name, place, key(value), said(of, value), value === chosen.value)),
        );
    // A chosen person stays chosen when the deed changes.
    const within = of === "what" ? "" : `${place.slice(at.join(".").length)} ${key(chosen.value)}`;
    return { part, value: chosen.value, more: chosen.fields, place: within };
  },
  several(ui, name, { of, options = [], first }, { label, said }, place) {
    /** @type {unknown[]} */
    const now = form(ui, name)[place] ?? first ?? [];
    const has = (/** @type {unknown} */ value) => now.some((each) => key(each) === key(value));
    const next = (/** @type {unknown} */ value) =>
      has(value) ? now.filter((each) => key(each) !== key(value)) : [...now, value];
    const chips = options.map(({ value }) =>
      chip(name, place, JSON.stringify(next(value)), said(of, value), has(value), key(value), true),
    );
    const title = h("p", { class: "hint", key: `label-${place}` }, label(of));
    return { part: [title, group(place, label(of), chips)], value: now, lacks: !now.length };
  },
  groups(ui, name, { of, options = [], groups = [], first }, { said }, place) {
    /** @type {Record<string, unknown[]>} */
    const now = form(ui, name)[place] ?? first;
    const open = options.filter(({ reason }) => !reason).map(({ value }) => value);
    /**
     * All groups after one member moves to `to`.
     * @param {unknown} who
     * @param {string|null} to
     */
    const moved = (who, to) =>
      Object.fromEntries(
        groups.map((each) => [each, open.filter((one) => (one === who ? each === to : now[each]?.includes(one)))]),
      );
    /** @param {import("./wire").Option} option */
    const member = ({ value, reason }) => {
      const here = (!reason && groups.find((each) => now[each]?.includes(value))) || null;
      const who = pretty(String(value));
      /** @param {string|null} to */
      const chip = (to) =>
        turn(
          said(of, to),
          { form: name, field: place, value: JSON.stringify(moved(value, to)), json: "" },
          {
            pressed: here === to,
            name: t("form.group", { name: who, group: said(of, to) }),
            key: `${place} ${value} ${to ?? "out"}`,
          },
        );
      return h(
        "li",
        { class: `member ${here ?? "out"}`, key: `member-${value}` },
        h("b", {}, who),
        reason
          ? h("small", {}, reason)
          : h("span", { class: "switch", role: "group", "aria-label": who }, [...groups, null].map(chip)),
      );
    };
    const value = Object.fromEntries(groups.map((each) => [each, open.filter((one) => now[each]?.includes(one))]));
    const part = h("ul", { class: "members", key: `members-${place}` }, options.map(member));
    return { part, value, lacks: groups.some((each) => !value[each].length) };
  },
  list(ui, name, { of, options = [], most = 0 }, { label, said }, place) {
    /** @type {unknown[]} */
    const now = form(ui, name)[place] ?? [];
    const full = most > 0 && now.length >= most;
    const add = full
      ? []
      : options.map(({ value }) =>
          chip(name, place, JSON.stringify([...now, value]), `+ ${said(of, value)}`, null, key(value), true),
        );
    const lies = now.map((value, at) =>
      h(
        "li",
        { key: `${place}-${at}` },
        said(of, value),
        " ",
        chip(
          name,
          place,
          JSON.stringify(now.filter((_, other) => other !== at)),
          "×",
          null,
          `${place}-without-${at}`,
          true,
        ),
      ),
    );
    return { part: group(place, label(of), [h("ol", { key: `${place}-list` }, lies), row(add)]), value: now };
  },
  number(ui, name, { of, least = 0, most = 0, first }, { label }, place) {
    const value = Number(form(ui, name)[place] ?? first);
    return { part: stepper(ui, name, place, label(of), { first: Number(first), least, most }), value };
  },
  flag(ui, name, { of, first = false }, { label, flag }, place) {
    const now = (form(ui, name)[place] ?? String(first)) === "true";
    const [yes, no] = [true, false].map((each) => flag(of, each));
    if (!no)
      return {
        part: h(
          "div",
          { class: "row flag", key: `flag-${place}` },
          chip(name, place, String(!now), yes, now, "yes"),
          ask(of),
        ),
        value: now,
      };
    const chips = [true, false].map((each) => chip(name, place, String(each), each ? yes : no, now === each));
    return { part: group(place, label(of), chips), value: now };
  },
  words(ui, name, { of, most, first = "" }, { label }, place) {
    const value = (form(ui, name)[place] ?? first).trim();
    return { part: line(ui, name, place, label(of), { max: most, first: String(first) }), value, lacks: !value };
  },
};

/** @param {string} place @param {string} label @param {Part} parts */
const group = (place, label, parts) =>
  h("div", { class: "row", role: "group", "aria-label": label, key: `group-${place}` }, parts);

/**
 * A button for one value.
 * @param {string} name
 * @param {string} place
 * @param {string} value
 * @param {string} words
 * @param {boolean|null} pressed
 * @param {string} [id]
 * @param {boolean} [json] whether `value` is JSON
 */
const chip = (name, place, value, words, pressed, id = value, json = false) =>
  turn(
    words,
    { form: name, field: place, value, ...(json && { json: "" }) },
    { pressed, kind: "quiet chip", key: `${place} ${id}` },
  );
