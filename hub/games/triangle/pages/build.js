/**
 * Character creation in five steps: name and seat, energy as tokens, moves as cards, words, and the
 * sheet. The hub decides what is allowed: the page asks for previews. The GM may build for any
 * seat; a player only for their own empty seat, and the GM has to agree.
 */

import { h } from "#core/dom.js";
import { ask } from "#core/explain.js";
import { judged } from "#core/judged.js";
import { fold, form, line, menu, press, row, turn } from "#core/parts.js";
import { inWords } from "#core/reasons.js";
import { language, list, pretty, t } from "#core/texts.js";
import { choiceName } from "./cards.js";
import { cards, facts } from "./levels.js";
import { orderOf, sign, TYPES } from "./shapes.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Part} Part */
/** @typedef {import("./wire").Beginning} Beginning */
/** An objection: its step, and its text. @typedef {{step: string, said: string}} Fault */

const BUILD = "build";
const STEPS = ["who", "energy", "moves", "words", "sheet"];
/** The step for each key of a sheet; others belong to the first. @type {Record<string, string>} */
const STEP_OF = {
  energy: "energy",
  level: "energy",
  moves: "moves",
  combos: "moves",
  backgrounds: "words",
  belief: "words",
  flaw: "words",
  goal: "words",
  style: "words",
  description: "words",
};
const TRAITS = ["belief", "flaw", "goal"];
const MOST = { name: 64, called: 40, background: 48, trait: 160, style: 80, description: 240 };

/** @param {unknown} value */
const json = (value) => JSON.stringify(value);

/**
 * A button that sets a field, or with `*` the whole form.
 * @param {string} field
 * @param {unknown} value
 * @param {Part} label
 * @param {Object} [options] those of `turn`
 */
const set = (field, value, label, options = {}) =>
  turn(label, { form: BUILD, field, value: json(value), json: "" }, options);

/**
 * The values entered so far. Defaults: a seat without a player, the book's minimum of each energy,
 * and the moves common to all.
 * @param {State} state
 * @param {Ui} ui
 * @param {Beginning} book
 */
function draftOf(state, ui, book) {
  const free =
    ui.console && state.seats.find(({ seat, characters }) => !characters.length && seat !== ui.console.gm_seat);
  const bare = Object.fromEntries(TYPES.map((type) => [type, book.least]));
  return form(ui, BUILD, {
    at: "who",
    ready: "",
    seat: (ui.console ? free?.seat : ui.seat) ?? "",
    energy: bare,
    moves: book.free ? [] : book.moves.map(({ id }) => id),
    points: [1, 1, 1],
  });
}

/** @param {any} draft @param {string} field */
const written = (draft, field) => String(draft[field] ?? "").trim();

/** @param {any} draft */
const laid = (draft) => TYPES.reduce((sum, type) => sum + draft.energy[type], 0);

/**
 * A ready-made character as form values, so that it can be edited.
 * @param {any} sheet with the keys of a character file
 * @param {any} draft
 */
const taken = (sheet, draft) => ({
  at: "who",
  ready: sheet.name,
  seat: draft.seat,
  name: sheet.name,
  style: sheet.style,
  description: sheet.description,
  energy: Object.fromEntries(TYPES.map((type) => [type, sheet.energy[type].max])),
  moves: Object.keys(sheet.moves),
  points: [0, 1, 2].map((at) => sheet.backgrounds[at]?.points ?? 1),
  ...Object.fromEntries(TRAITS.map((key) => [key, sheet[key].text])),
  ...Object.fromEntries(Object.entries(sheet.moves).map(([id, called]) => [`called ${id}`, called])),
  ...Object.fromEntries(
    sheet.backgrounds.map((/** @type {any} */ each, /** @type {number} */ at) => [`background ${at}`, each.name]),
  ),
});

/**
 * The draft, with the keys of a character file.
 * @param {any} draft
 * @param {Beginning} book
 */
function sheetOf(draft, book) {
  const backgrounds = [0, 1, 2]
    .map((at) => ({ name: written(draft, `background ${at}`), points: draft.points[at] }))
    .filter(({ name }) => name);
  return {
    name: written(draft, "name"),
    npc: false,
    level: book.level,
    style: written(draft, "style"),
    description: written(draft, "description"),
    energy: Object.fromEntries(TYPES.map((type) => [type, { max: draft.energy[type] }])),
    moves: Object.fromEntries(
      draft.moves.map((/** @type {string} */ id) => [id, written(draft, `called ${id}`) || choiceName("move", id)]),
    ),
    ...(backgrounds.length && { backgrounds }),
    ...Object.fromEntries(TRAITS.map((key) => [key, { text: written(draft, key) }])),
  };
}

/** A place in a sheet, in words. @param {string} place */
function placeSaid(place) {
  const [key = "", of = ""] = place.split(/[.[\]]+/);
  if (key === "energy" && orderOf(of) >= 0) return t(of);
  if (key === "moves" && of) return choiceName("move", of);
  if (key === "backgrounds" && of) return t("build.background", { number: Number(of) + 1 });
  return t(`build.place.${key in STEP_OF || key === "name" ? key : "rest"}`);
}

/**
 * The objections to a draft, each with the step that fixes it.
 * @param {any} why
 * @returns {Fault[]}
 */
function faultsIn(why) {
  if (!why?.code) return [];
  const { place, why: inner } = why.values;
  if (why.code === "about")
    return [{ step: STEP_OF[place.split(/[.[]/)[0]] ?? "who", said: `${placeSaid(place)} ${inWords(inner) ?? ""}` }];
  const parts = [inner].flat().filter((each) => each?.code);
  if (["cannot-join", "several", "at"].includes(why.code) && parts.length) return parts.flatMap(faultsIn);
  return [{ step: "who", said: inWords(why) ?? "" }];
}

/** @param {any} draft @param {Fault[]|null} faults */
function progress({ at }, faults) {
  const each = STEPS.map((one, number) => {
    const fine = faults !== null && one !== "sheet" && !faults.some(({ step }) => step === one);
    const label = [h("b", {}, fine ? "✓" : number + 1), " ", t(`build.step.${one}`)];
    return h(
      "li",
      { key: one, "aria-current": one === at ? "step" : null },
      set("at", one, label, {
        kind: "quiet",
        key: `build-${one}`,
        current: one === at,
        name: fine ? t("build.fine", { step: t(`build.step.${one}`) }) : null,
      }),
    );
  });
  return h("ol", { class: "steps", key: "steps" }, each);
}

/**
 * The button to the next step, and what this one still lacks.
 * @param {string} at
 * @param {Fault[]|null} faults
 */
function onwards(at, faults) {
  const here = (faults ?? []).filter(({ step }) => step === at);
  const next = STEPS[STEPS.indexOf(at) + 1] ?? at;
  return [
    h(
      "div",
      { class: "lacks", key: "lacks", role: "status" },
      here.map(({ said }) => h("p", { key: said }, said)),
    ),
    set("at", next, t("level.next"), { kind: "offer default", key: `build-next-${at}` }),
  ];
}

/** Tokens in a row. @param {Record<string, number>} energy */
const tokens = (energy) =>
  h(
    "span",
    { class: "tokens", key: "tokens" },
    TYPES.flatMap((type) =>
      Array.from({ length: energy[type] ?? 0 }, (_, at) =>
        h("span", { key: `${type}${at}` }, sign(type, t(`${type}.letter`))),
      ),
    ),
  );

/** @param {State} state @param {Ui} ui @param {Beginning} book @param {any} draft */
function who(state, ui, book, draft) {
  const told = book.ready.map((/** @type {any} */ each) => ({ ...each, ...each.words[language()] }));
  const known = [...Object.keys(state.story?.party ?? {}), ...(ui.cast ?? [])];
  /** @param {any} sheet */
  const ready = (sheet) =>
    h(
      "li",
      { key: sheet.name },
      set(
        "*",
        taken(sheet, draft),
        [
          h("b", {}, sheet.name),
          h("small", {}, sheet.style),
          tokens(taken(sheet, draft).energy),
          h("small", {}, list(Object.keys(sheet.moves).map((id) => choiceName("move", id)))),
        ],
        {
          kind: "gain",
          key: `build-ready-${sheet.name}`,
          pressed: draft.ready === sheet.name,
          why: known.includes(sheet.name) ? t("build.plays-already") : "",
        },
      ),
    );
  const bare = set(
    "*",
    { at: "who", seat: draft.seat, name: draft.name ?? "" },
    [h("b", {}, t("build.bare")), h("small", {}, t("build.bare.more"))],
    { kind: "gain", key: "build-bare", pressed: draft.ready === "" },
  );
  const seats = state.seats.map(({ seat, characters }) => [
    seat,
    t(characters.length ? "build.seat.with" : "build.seat", {
      seat: pretty(seat),
      names: list(characters.map(pretty)),
    }),
  ]);
  return [
    h("ul", { class: "lessons", key: "ready" }, h("li", { key: "bare" }, bare), told.map(ready)),
    line(ui, BUILD, "name", t("build.name"), { max: MOST.name }),
    ui.console &&
      menu(
        ui,
        BUILD,
        "seat",
        t("gm.fresh.seat"),
        [["", t("build.seat.gm")], ...seats.filter(([seat]) => seat !== ui.console.gm_seat)],
        draft.seat,
      ),
  ];
}

/** @param {State} _ @param {Ui} __ @param {Beginning} book @param {any} draft */
function energy(_, __, book, draft) {
  const left = book.energy - laid(draft);
  /** @param {import("./wire").Action} type @param {number} by @param {string} why */
  const knob = (type, by, why) =>
    set("energy", { ...draft.energy, [type]: draft.energy[type] + by }, by < 0 ? "−" : "+", {
      kind: "step",
      hush: true,
      why,
      key: `build-${type}${by}`,
      name: `${t(type)}: ${t(by < 0 ? "gm.less" : "gm.more")}`,
    });
  const rows = TYPES.map((type) =>
    h(
      "div",
      { class: "type laying", key: type, role: "group", "aria-label": t(type) },
      h("span", { class: "what" }, sign(type, t(`${type}.letter`)), t(type)),
      knob(type, -1, draft.energy[type] > book.least ? "" : t("build.energy.least", { count: book.least })),
      h("output", {}, draft.energy[type]),
      knob(type, 1, left > 0 ? "" : t("build.energy.none")),
      h(
        "span",
        { class: "tokens", "aria-hidden": "true" },
        Array.from({ length: draft.energy[type] }, (_, at) => h("span", { key: `laid${at}` }, sign(type))),
      ),
    ),
  );
  return [
    h("p", { class: "hint", key: "about" }, t("build.energy.about", { count: book.energy }), " ", ask("energy")),
    rows,
    h(
      "p",
      { class: "left", key: "left", role: "status" },
      left ? t("build.energy.left", { count: left }) : t("build.energy.done"),
    ),
  ];
}

/** @param {State} _ @param {Ui} ui @param {Beginning} book @param {any} draft */
function moves(_, ui, book, draft) {
  const full = draft.moves.length >= book.count;
  /** @param {import("./wire").FreshMove} move */
  const card = ({ id, facts: known }) => {
    const has = draft.moves.includes(id);
    const follows = book.moves
      .map((each) => each.id)
      .filter((each) => each !== id && (known.follows.includes(each) || draft.moves.includes(each)));
    const words = facts({
      kind: "move",
      choices: { move: id },
      move: { ...known, follows },
      special: null,
      reason: "",
      why: null,
    });
    const label = [
      cards({ move: id }),
      h("span", { class: "name" }, choiceName("move", id)),
      words.map((each) => h("small", { key: each }, each)),
    ];
    const next = has ? draft.moves.filter((/** @type {string} */ each) => each !== id) : [...draft.moves, id];
    return h(
      "li",
      { key: id },
      book.free
        ? set("moves", next, label, {
            kind: "lesson",
            pressed: has,
            key: `build-move-${id}`,
            why: full && !has ? t("build.moves.full", { count: book.count }) : "",
            hush: true,
          })
        : h("div", { class: "lesson" }, label),
    );
  };
  const names = () =>
    draft.moves.map((/** @type {string} */ id) =>
      line(ui, BUILD, `called ${id}`, choiceName("move", id), { max: MOST.called }),
    );
  return [
    h(
      "p",
      { class: "hint", key: "about" },
      t(book.free ? "build.moves.about" : "build.moves.given", { count: book.count, chosen: draft.moves.length }),
    ),
    h("ul", { class: "lessons", key: "moves" }, book.moves.map(card)),
    draft.moves.length > 0 && fold(ui, "build-called", t("build.moves.called"), names),
    h("p", { class: "hint", key: "specials" }, t("build.specials")),
  ];
}

/** @param {State} _ @param {Ui} ui @param {Beginning} book @param {any} draft */
function words(_, ui, book, draft) {
  /** @param {number} at */
  const background = (at) => {
    /** @param {number} points */
    const worth = (points) =>
      set(
        "points",
        draft.points.map((/** @type {number} */ each, /** @type {number} */ of) => (of === at ? points : each)),
        t("build.points", { count: points }),
        { kind: "quiet chip", key: `build-points-${at}-${points}`, pressed: draft.points[at] === points },
      );
    return h(
      "div",
      { class: "form", key: `background-${at}` },
      line(ui, BUILD, `background ${at}`, t("build.background", { number: at + 1 }), { max: MOST.background }),
      book.background_most > 1 &&
        written(draft, `background ${at}`) &&
        row(Array.from({ length: book.background_most }, (_, of) => worth(of + 1))),
    );
  };
  const spent = [0, 1, 2].reduce((sum, at) => sum + (written(draft, `background ${at}`) ? draft.points[at] : 0), 0);
  return [
    TRAITS.map((key) =>
      h(
        "div",
        { class: "with-ask", key },
        line(ui, BUILD, key, `${t(`gm.${key}`)}: ${t(`build.${key}`)}`, { max: MOST.trait }),
        ask(key),
      ),
    ),
    h(
      "p",
      { class: "hint", key: "backgrounds" },
      t("build.backgrounds", { count: book.background_points, left: Math.max(0, book.background_points - spent) }),
    ),
    [0, 1, 2].slice(0, book.background_points).map(background),
    fold(ui, "build-looks", t("build.looks"), () => [
      line(ui, BUILD, "style", t("build.style"), { max: MOST.style }),
      line(ui, BUILD, "description", t("build.description"), { max: MOST.description }),
    ]),
  ];
}

/** @param {State} state @param {Ui} ui @param {Beginning} book @param {any} draft @param {Fault[]|null} faults */
function sheet(state, ui, book, draft, faults) {
  const whole = sheetOf(draft, book);
  const joins = state.phase === "idle";
  const label = ui.console
    ? t(joins ? "gm.fresh.join" : "build.wait", { name: whole.name || t("build.nobody") })
    : t("build.wish");
  const more = ui.console ? (joins ? "" : t("build.wait.more")) : t("build.wish.more");
  const { at: _, ...rest } = draft;
  const name = whole.name || t("build.nobody");
  /** @param {string} label @param {Part} said */
  const told = (label, said) => [h("dt", { key: `dt-${label}` }, label), h("dd", { key: `dd-${label}` }, said)];
  const why = faults === null ? t("gm.on-its-way") : faults.length ? t("build.not-yet") : "";
  return [
    h(
      "dl",
      { class: "built", key: "built" },
      told(t("build.place.name"), h("b", {}, name)),
      told(t("build.place.energy"), tokens(draft.energy)),
      told(
        t("build.place.moves"),
        list(
          Object.entries(whole.moves).map(([id, called]) =>
            called === choiceName("move", id) ? called : `${called} (${choiceName("move", id)})`,
          ),
        ),
      ),
      TRAITS.filter((key) => rest[key]).map((key) => told(t(`gm.${key}`), rest[key])),
      whole.backgrounds &&
        told(
          t("build.place.backgrounds"),
          list(whole.backgrounds.map((each) => (book.background_most > 1 ? `${each.name} ${each.points}` : each.name))),
        ),
      ui.console && told(t("gm.fresh.seat"), draft.seat ? pretty(draft.seat) : t("build.seat.gm")),
    ),
    h(
      "div",
      { class: "lacks", key: "lacks", role: "status" },
      (faults ?? []).map(({ step, said }) =>
        h(
          "p",
          { key: said },
          said,
          " ",
          set("at", step, t("build.mend"), {
            kind: "quiet chip",
            key: `build-mend-${said}`,
            name: `${t("build.mend")}: ${t(`build.step.${step}`)}`,
          }),
        ),
      ),
    ),
    press(ui, label, commandOf(state, ui, book), {
      place: "add built",
      kind: "offer default",
      why,
      hush: faults === null,
      after: BUILD,
      seen: true,
      more,
    }),
  ];
}

/** @param {State} state @param {Ui} ui @param {Beginning} book */
function commandOf(state, ui, book) {
  const draft = draftOf(state, ui, book);
  return {
    command: "add-character",
    sheet: sheetOf(draft, book),
    seat: draft.seat,
    joins: Boolean(ui.console) && state.phase === "idle",
  };
}

/**
 * What a character can begin with, requested when first needed and again when the story has
 * changed.
 * @param {Ui} ui
 * @param {State} state
 * @returns {Beginning|null|undefined}
 */
function bookOf(ui, { version: { revision } }) {
  if (ui.beginningOf !== revision && ui.commander.ask("beginning")) ui.beginningOf = revision;
  return ui.beginning;
}

/** @type {Record<string, (state: State, ui: Ui, book: Beginning, draft: any, faults: Fault[]|null) => Part>} */
const DRAWN = { who, energy, moves, words, sheet };

/**
 * The five steps; null if the hub has nothing to begin with.
 * @param {State} state
 * @param {Ui} ui
 */
export function builder(state, ui) {
  const known = bookOf(ui, state);
  if (known === null) return null;
  if (known === undefined) return h("p", { key: "asked", role: "status" }, t("gm.on-its-way"));
  const book = known;
  const draft = draftOf(state, ui, book);
  const { answer, now } = judged(ui, state, commandOf(state, ui, book));
  const found = answer && (draft.at !== "sheet" || now) ? faultsIn(answer.why) : null;
  const faults =
    found && !written(draft, "name")
      ? [{ step: "who", said: t("gm.npc.nameless") }, ...found.filter(({ step }) => step !== "who")]
      : found;
  return h(
    "div",
    { class: "grow form build", key: BUILD },
    progress(draft, faults),
    h("h3", { key: `title-${draft.at}`, tabindex: -1, "data-step": "" }, t(`build.ask.${draft.at}`)),
    DRAWN[draft.at]?.(state, ui, book, draft, faults),
    draft.at !== "sheet" && onwards(draft.at, faults),
  );
}
