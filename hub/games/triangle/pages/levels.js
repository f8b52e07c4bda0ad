/**
 * A level-up in three steps: the kind of gain, the gain itself, and the resulting sheet. Shared by
 * the player's page and the GM's console; the hub decides what is allowed.
 */

import { changesList, previewOf } from "#core/changes.js";
import { h } from "#core/dom.js";
import { fold, form, line, menu, turn } from "#core/parts.js";
import { list, stopped, t } from "#core/texts.js";
import { choiceName, elementName, smallCard, specialName } from "./cards.js";
import { explain } from "./explain.js";
import { orderOf, sign } from "./shapes.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("./wire").Level} Level */
/** @typedef {import("./wire").Taught} Taught */
/**
 * Something to learn, with the choices made beside it.
 * @typedef {import("./wire").Choices} Lesson
 */
/** @typedef {import("#core/types.js").Part} Part */

const KINDS = ["move", "combos", "energy", "special", "variant"];
const STEPS = ["kind", "what", "sure"];
const NAMED = ["move", "variant", "special"];
/** More moves than this are counted instead of listed. */
const TOLD = 5;

/** A variant's card. @param {import("./wire").KnownMove} variant */
const variantName = ({ id, variant }) => choiceName("move", `${id} ${variant}`);

/** A lesson in words. @param {Lesson} lesson */
export function lessonName({ move, variant, replaces, combos = [], energy, special }) {
  if (energy) return t("gm.level.energy", { type: t(energy) });
  if (special) return specialName(special);
  if (variant) {
    const name = variantName(variant);
    return replaces ? t("gm.level.instead", { move: name, old: choiceName("move", replaces) }) : name;
  }
  const names = combos.map(({ start, move: next, instead_of: old }) =>
    t(old ? "gm.level.combo.instead" : "gm.level.combo", {
      start: choiceName("move", start),
      move: choiceName("move", next),
      old: old ? choiceName("move", old) : "",
    }),
  );
  return names.length ? list(names) : choiceName("move", move ?? "");
}

/** @param {unknown} value */
const json = (value) => JSON.stringify(value);

/**
 * A button that sets a field to a JSON value.
 * @param {string} name
 * @param {string} field
 * @param {unknown} value
 * @param {Part} label
 * @param {Object} [options] those of `turn`
 */
const set = (name, field, value, label, options = {}) =>
  turn(label, { form: name, field, value: json(value), json: "" }, options);

/** Moves as a list. @param {string[]} moves */
const moves = (moves) => list(moves.map((move) => choiceName("move", move)));

/**
 * The benefits of a lesson, one line each.
 * @param {Taught} lesson
 * @returns {string[]}
 */
export function facts({ choices, move, special }) {
  const { combos = [], energy } = /** @type {Lesson} */ (choices);
  if (special) return explain(`special ${choices.special}`, { [`special ${choices.special}`]: special })?.text ?? [];
  if (energy) return [t("level.good.energy", { type: t(energy) })];
  if (combos[0])
    return [
      t("level.good.combo", { start: choiceName("move", combos[0].start), move: choiceName("move", combos[0].move) }),
    ];
  if (!move) return [];
  const { beats, beats_elements: elements, base, multiplier, follows } = move;
  /** @type {Array<string|false>} */
  const some = [
    t("level.good.beats", { types: list(beats.map((type) => t(type))) }) +
      (elements.length ? ` ${t("level.good.elements", { elements: list(elements.map(elementName)) })}` : ""),
    t("level.good.takes", { base, multiplier }),
    follows.length > 0 &&
      (follows.length > TOLD
        ? t("level.good.follows-all", { count: follows.length })
        : t("level.good.follows", { moves: moves(follows) })),
  ];
  return some.filter((each) => each !== false);
}

/** A lesson as cards. @param {Lesson} choices */
export function cards({ move, variant, combos = [], energy, special }) {
  if (energy) return h("span", { class: "token" }, sign(energy, t(`${energy}.letter`)));
  if (special) return h("ul", { class: "told-cards" }, smallCard(special, "special"));
  const shown = combos[0]
    ? [combos[0].start, combos[0].move]
    : [variant ? `${variant.id} ${variant.variant}` : (move ?? "")];
  return h(
    "ul",
    { class: "told-cards" },
    shown.map((each, at) => [
      at > 0 && h("li", { class: "then", key: "then", "aria-hidden": "true" }, "→"),
      smallCard(each),
    ]),
  );
}

/** Moves and variants are sorted by type. @param {Taught} lesson */
const rank = ({ choices }) => {
  const { move = "", variant, energy } = /** @type {Lesson} */ (choices);
  return orderOf(energy ?? (variant?.id ?? move).split("-")[0]);
};

/**
 * The current step and selection, without options that the hub no longer offers.
 * @param {Ui} ui
 * @param {string} name the form's
 * @param {Level} level
 */
function chosen(ui, name, { options, most }) {
  const filled = form(ui, name);
  const { step = "kind", kind = "" } = filled.at ?? {};
  const open = options.filter((each) => each.kind === kind && !each.reason);
  const known = open.map(({ choices }) => json(choices));
  /** @type {Lesson[]} */
  const picks = (filled.picks ?? []).filter((/** @type {Lesson} */ each) => known.includes(json(each)));
  const reached = STEPS.indexOf(!open.length ? "kind" : picks.length ? step : step === "sure" ? "what" : step);
  return { filled, step: STEPS[reached] ?? "kind", kind, picks, open, several: most[kind] ?? 1 };
}

/**
 * @param {string} name
 * @param {{step: string, kind: string, picks: Lesson[]}} now
 */
function progress(name, { step, kind, picks }) {
  const can = [true, Boolean(kind), picks.length > 0];
  const each = STEPS.map((one, at) => {
    const label = [h("b", {}, at + 1), " ", t(`level.step.${one}`)];
    const why = can[at] || one === step ? "" : t("level.first");
    return h(
      "li",
      { key: one, "aria-current": one === step ? "step" : null },
      set(name, "at", { step: one, kind }, label, {
        kind: "quiet",
        key: `${name}-${one}`,
        why,
        hush: true,
        current: one === step,
      }),
    );
  });
  return h("ol", { class: "steps", key: "steps" }, each);
}

/**
 * The kinds of gain.
 * @param {string} name
 * @param {Level} level
 */
function kinds(name, { options }) {
  const some = KINDS.filter((kind) => options.some((each) => each.kind === kind));
  return some.map((kind) => {
    const of = options.filter((each) => each.kind === kind);
    const open = of.filter(({ reason }) => !reason);
    const label = [
      h("b", {}, t(`level.kind.${kind}`)),
      h("small", {}, t(`level.kind.${kind}.more`)),
      h("i", {}, t("level.open", { count: open.length })),
    ];
    return set(name, "at", { step: "what", kind }, label, {
      kind: "gain",
      key: `${name}-kind-${kind}`,
      why: open.length ? "" : (of[0]?.reason ?? ""),
    });
  });
}

/**
 * The lessons of a kind: a card each, with its benefits.
 * @param {Ui} ui
 * @param {string} name
 * @param {Level} level
 * @param {ReturnType<typeof chosen>} now
 */
function lessons(ui, name, { options }, { kind, picks, open, several }) {
  const closed = options.filter((each) => each.kind === kind && each.reason);
  /** @param {Lesson} choices */
  const next = (choices) => {
    if (picks.some((each) => json(each) === json(choices))) return picks.filter((each) => json(each) !== json(choices));
    return several > 1 ? [...picks, choices].slice(-several) : [choices];
  };
  /** @param {Taught} lesson */
  const card = (lesson) => {
    const choices = /** @type {Lesson} */ (lesson.choices);
    const words = facts(lesson);
    return h(
      "li",
      { key: json(choices) },
      set(
        name,
        "picks",
        next(choices),
        [
          cards(choices),
          h("span", { class: "name" }, lessonName(choices)),
          words.map((each) => h("small", { key: each }, each)),
        ],
        {
          pressed: picks.some((each) => json(each) === json(choices)),
          kind: "lesson",
          key: `${name}-${json(choices)}`,
        },
      ),
    );
  };
  const why = () =>
    h(
      "ul",
      { class: "closed" },
      closed.map(({ choices, reason }) =>
        h("li", { key: json(choices) }, h("b", {}, `${lessonName(/** @type {Lesson} */ (choices))}:`), " ", reason),
      ),
    );
  return [
    several > 1 && h("p", { class: "hint", key: "several" }, t("level.several", { count: several })),
    h("ul", { class: "lessons", key: "lessons" }, [...open].sort((a, b) => rank(a) - rank(b)).map(card)),
    closed.length > 0 && fold(ui, `${name}-closed-${kind}`, t("gm.closed", { number: closed.length }), why),
    set(name, "at", { step: "sure", kind }, t("level.next"), {
      kind: "offer default",
      key: `${name}-next`,
      why: picks.length ? "" : t("gm.level.nothing"),
      hush: true,
    }),
  ];
}

/**
 * The selection as a level-up's choices: `plain` without texts (for the preview), `whole` with
 * them.
 * @param {Level} level
 * @param {ReturnType<typeof chosen>} now
 */
function choicesOf({ options }, { filled, picks, kind }) {
  const regains = options.flatMap(({ choices }) => /** @type {Lesson} */ (choices).regain ?? []);
  const regain = regains.find((each) => each === filled.regain) ?? regains[0];
  const combos = picks.flatMap((each) => each.combos ?? []);
  const plain = { ...Object.assign({}, ...picks), ...(combos.length && { combos }), ...(regain && { regain }) };
  const words = ["goal", ...(NAMED.includes(kind) ? ["called"] : [])]
    .map((field) => [field, (filled[field] ?? "").trim()])
    .filter(([, said]) => said);
  return { plain, regains, whole: { ...plain, ...Object.fromEntries(words) } };
}

/**
 * The sheet's changes, and the button that confirms them.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} who
 * @param {string} name
 * @param {Level} level
 * @param {ReturnType<typeof chosen>} now
 * @param {Settle} settle
 */
function sure(state, ui, who, name, level, now, settle) {
  const { plain, regains, whole } = choicesOf(level, now);
  const answer = previewOf(ui, state, settle.command({ do: "level-up", name: who, choices: plain }));
  return [
    h(
      "div",
      { class: "chosen", key: "chosen" },
      now.picks.map((each) => h("p", { key: json(each) }, cards(each), h("b", {}, lessonName(each)))),
    ),
    NAMED.includes(now.kind) && line(ui, name, "called", t("gm.level.called"), { max: 64 }),
    regains.length > 0 &&
      menu(
        ui,
        name,
        "regain",
        t("gm.level.regain"),
        regains.map((each) => [each, t(`gm.regain.${each}`)]),
        regains[0],
      ),
    line(ui, name, "goal", t("gm.level.goal"), { max: 200 }),
    h("p", { class: "hint", key: "what" }, t("level.sheet")),
    answer ? changesList(answer) : h("p", { key: "asked", role: "status" }, t("gm.on-its-way")),
    settle.press({ do: "level-up", name: who, choices: whole }, answer?.reason ?? ""),
  ];
}

/**
 * How a level-up is confirmed: the command to preview, and the button.
 * @typedef {Object} Settle
 * @property {(deed: import("#core/types.js").DeedValues) => import("#core/types.js").Command} command
 * @property {(deed: import("#core/types.js").DeedValues, why: string) => Part} press
 */

/** The name of a character's level-up form. @param {string} who */
export const levelForm = (who) => `level-up ${who}`;

/**
 * The three steps.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} who
 * @param {Level|undefined} level
 * @param {Settle} settle
 */
export function levelSteps(state, ui, who, level, settle) {
  const name = levelForm(who);
  if (!level || level.reason)
    return h(
      "div",
      { class: "grow", key: name },
      h("p", { class: "hint" }, stopped(t("gm.level.not-yet", { reason: level?.reason ?? "" }))),
    );
  const now = chosen(ui, name, level);
  /** @type {Record<string, () => Part>} */
  const steps = {
    kind: () => kinds(name, level),
    what: () => lessons(ui, name, level, now),
    sure: () => sure(state, ui, who, name, level, now, settle),
  };
  return h(
    "div",
    { class: "grow form", key: name },
    progress(name, now),
    h("h3", { key: `title-${now.step}`, tabindex: -1, "data-step": "" }, t(`level.ask.${now.step}`)),
    steps[now.step]?.(),
  );
}
