/** A character's look, chosen by its player or the GM: a colour, a shape, or a picture. */

import { h } from "./dom.js";
import { COLOURS, drawn, look, painter, SHAPES } from "./painter.js";
import { fold, press } from "./parts.js";
import { paintBy, portrait } from "./portrait.js";
import { pretty, t } from "./texts.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").Ui} Ui */
/** @typedef {import("./wire").Portrait} Portrait */

/**
 * The newest picture of each character seen by this page, so that a removed one can be restored.
 * @type {Map<string, string>}
 */
const pictures = new Map();
const NOTHING = { colour: null, shape: null, picture: "" };

paintBy(painter);

/**
 * The folded controls for a character's look.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
export function looks(state, ui, name) {
  const title = [portrait(name), h("span", { class: "says" }, t("look.of", { name: pretty(name) }))];
  return h(
    "div",
    { class: "looks", key: `looks-${name}` },
    fold(ui, `looks-${name}`, title, () => inside(state, ui, name)),
  );
}

/**
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
function inside(state, ui, name) {
  const chosen = { ...NOTHING, ...state.portraits[name] };
  const now = look(name);
  if (chosen.picture) pictures.set(name, chosen.picture);
  const before = pictures.get(name);
  /**
   * @param {Partial<Portrait>} change
   * @param {import("./types").Part} label
   * @param {Object} options those of `press`
   */
  const wear = (change, label, options) =>
    press(ui, label, { command: "portray", name, portrait: { ...chosen, ...change } }, /** @type {any} */ (options));
  /**
   * @param {"colour"|"shape"} part
   * @param {string} value
   */
  const one = (part, value) => {
    const words = t(part === "colour" ? `look.colour.${value}` : `look.shape.${value}`);
    return h(
      "li",
      { key: value, class: now[part] === value ? "now" : "" },
      wear({ [part]: value }, [drawn(name, { ...now, picture: "", [part]: value }), words], {
        place: `portray ${name} ${value}`,
        kind: "quiet",
        name: now[part] === value ? t("look.now", { what: words }) : words,
        why: part === "colour" ? taken(state, name, value) : "",
        hush: true,
      }),
    );
  };
  const busy = ui.pending(`portray ${name} picture`) || ui.uploads?.has(name);
  return [
    h("h4", { key: "colour" }, t("look.colour")),
    h(
      "ul",
      { class: "swatches", key: "colours" },
      Object.keys(COLOURS).map((each) => one("colour", each)),
    ),
    h("h4", { key: "shape" }, t("look.shape")),
    h(
      "ul",
      { class: "swatches", key: "shapes" },
      Object.keys(SHAPES).map((each) => one("shape", each)),
    ),
    h(
      "div",
      { class: "row", key: "picture" },
      h(
        "label",
        { class: "fetches", key: "fetch" },
        h("span", {}, t(busy ? "look.picture.coming" : "look.picture")),
        h("input", { type: "file", accept: "image/*", "data-portray": name, disabled: busy, key: "file" }),
      ),
      chosen.picture && wear({ picture: "" }, t("look.picture.away"), { place: `portray ${name} away` }),
      !chosen.picture && before && wear({ picture: before }, t("look.picture.back"), { place: `portray ${name} back` }),
      (chosen.colour || chosen.shape) &&
        wear({ colour: null, shape: null }, t("look.by-name"), { place: `portray ${name} by-name` }),
    ),
    h("p", { class: "hint", key: "hint" }, t("look.picture.hint")),
  ];
}

/**
 * The other character who has chosen a colour, in words; empty if there is none, or if there are
 * more characters than colours.
 * @param {State} state
 * @param {string} name
 * @param {string} colour
 */
function taken({ portraits, seats }, name, colour) {
  const all = seats.flatMap(({ characters }) => characters);
  const who = all.find((other) => other !== name && portraits[other]?.colour === colour);
  return who && all.length <= Object.keys(COLOURS).length ? t("look.taken", { name: pretty(who) }) : "";
}
