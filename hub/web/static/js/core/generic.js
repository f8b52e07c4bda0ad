/** Shows and plays any family of rules, by its offers, its characters and its public fields. */

import { h } from "./dom.js";
import { inRow } from "./grammar.js";
import { seatRow } from "./seats.js";
import { back } from "./shapes.js";
import { knows, list, pretty, sentence, t } from "./texts.js";

/** @typedef {import("./types").State} State */
/** @typedef {import("./types").StateFrame} StateFrame */

const DEEPEST = 3;
/** Fields that every game has. */
const COMMON = ["ruleset"];

/**
 * The awaited names as a list; a group in which one chooses for all reads "Ada or Bo".
 * @param {State} state
 * @param {string[]} names
 */
export function anyOf({ one_of: groups = [] }, names) {
  const shown = names.map((name) => {
    const group = groups.find((each) => each.includes(name));
    return group ? inRow(group.map(pretty), "or") : pretty(name);
  });
  return inRow([...new Set(shown)]);
}

/**
 * Who is ready, and who is awaited.
 * @param {State} state
 */
export function readiness(state) {
  const left = state.awaited.filter((name) => !state.committed.includes(name));
  if (!left.length && state.answers.length) return t("ready.answers", { waiting: list(state.answers) });
  const places = { ready: sentence(list(state.committed)), waiting: anyOf(state, left) };
  if (!state.committed.length) return t("ready.none", places);
  return t("ready.some", { ...places, count: state.committed.length });
}

/**
 * The same state with all cards laid, face down.
 * @param {StateFrame} state
 * @returns {StateFrame}
 */
export const locked = (state) => ({
  ...state,
  phase: "locked",
  committed: state.awaited,
  seats: state.seats.map((seat) => ({ ...seat, committed: seat.awaited })),
  timer: null,
});

/**
 * A public value in words; null if it says nothing.
 * @param {unknown} value
 * @param {number} [depth]
 * @returns {import("./types").Part}
 */
function shown(value, depth = 0) {
  if (value === null || value === undefined || value === "" || depth > DEEPEST) return null;
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return pretty(value);
  const simple = Array.isArray(value) && value.every((each) => typeof each !== "object");
  if (simple) return value.length ? list(value.map(String)) : null;
  const inside = Object.entries(value).map(([name, each]) => [name, shown(each, depth + 1)]);
  const said = inside.filter(([, each]) => each !== null);
  if (!said.length) return null;
  return h(
    "dl",
    { class: "fields" },
    said.map(([name, each]) => h("div", { key: String(name) }, h("dt", {}, pretty(String(name))), h("dd", {}, each))),
  );
}

/**
 * All fields that the rules make public.
 * @param {State} state
 */
function fields(state) {
  const own = Object.entries(state.game ?? {}).filter(([name]) => !COMMON.includes(name));
  return h("section", { class: "all-fields", key: "fields" }, shown(Object.fromEntries(own)));
}

/**
 * The mark of a person that the table waits for, or whose card is sealed.
 * @param {State} state
 * @param {string} name
 * @returns {import("./types").Person["mark"]}
 */
export function markOf({ awaited, committed, phase }, name) {
  if (committed.includes(name)) return "sealed";
  return awaited.includes(name) && phase !== "idle" ? "awaited" : "";
}

/**
 * The stage for any family: a place or a face-down card for each awaited choice, and its public
 * fields while none is awaited.
 * @param {State} state
 * @returns {import("./types").Setting}
 */
function setting(state) {
  const people = [...new Set([...state.seats.flatMap(({ characters }) => characters), ...state.awaited])];
  const open = ["sealed", "locked"].includes(state.phase) ? state.awaited : [];
  const sides = open.map((name) => ({
    name,
    called: pretty(name),
    mark: /** @type {const} */ (""),
    cards: [
      state.committed.includes(name)
        ? h(
            "div",
            { class: "card down", key: "down", role: "img", "aria-label": t("room.sealed") },
            h("div", { class: "leaf" }, h("div", { class: "face back" }, back)),
          )
        : h("div", { class: "vacant awaited", key: "vacant", role: "img", "aria-label": t("room.awaited") }),
    ],
    notes: [],
  }));
  const one = (/** @type {string} */ name) => ({
    name,
    mark: markOf(state, name),
    acts: false,
    gone: "",
    left: null,
    more: null,
  });
  return {
    moment: open.length > 0,
    rests: false,
    pieces: open.length ? { kind: "sides", sides, middle: null } : null,
    quiet: fields(state),
    ring: [{ name: "all", called: "", won: false, people: people.map(one) }],
  };
}

/** @type {import("./types").Game} */
export const GENERIC = {
  back,
  sentences: "",
  highlights: () => [],
  scene: (state) => ({
    sort: "Facedown",
    title: state.title || pretty(state.game?.ruleset ?? ""),
    turns: state.turn_number > 0,
    about: "",
    nature: "",
  }),
  prompt: (state) =>
    state.phase === "over"
      ? { head: t("over.undecided"), more: "" }
      : {
          head: t("other", { who: anyOf(state, state.awaited) }),
          more: state.phase === "sealed" ? readiness(state) : "",
        },
  setting,
  body: (state, headline) => h("main", { class: "simple", key: "simple" }, headline, seatRow(state), fields(state)),
  around: (state) => [seatRow(state), fields(state)],
  miniature: (state, timer) =>
    h("section", { class: "mini", key: "mini", "aria-label": t("table.mini") }, timer, fields(state)),
  played: fields,
  aloud: () => [],
  beats: (before, after) =>
    before?.game && before.scene === after.scene && before.revealed_at !== after.revealed_at
      ? [{ cue: "turn", detail: {}, state: locked(before) }]
      : [],
  verdict: () => null,
  pointsSaid: (points) =>
    [...new Set(points)].map((type) => `${t(type)} ${points.filter((one) => one === type).length}`).join(", "),
  faceUp: () => null,
  shown: () => "",
  tells: [],
  card: (kind, value) => {
    const text = value || kind;
    return { name: knows(text) ? t(text) : sentence(pretty(text)) };
  },
  hand: [],
  calls: [],
  declared: [],
  folded: [],
  refusal: "",
  asks: (_, __, questions) => questions,
  question: (_, { actor }) => t("asks.other", { actor: pretty(actor) }),
  aside: () => [],
  offerName: () => null,
  editor: () => null,
  edit: () => ({}),
  dangers: () => [],
  facing: () => null,
  felt: () => null,
  own: () => null,
  build: null,
  sheet: () => null,
  explain: () => null,
  heading: (kind) => ({ id: kind, title: sentence(pretty(kind)), rank: 0 }),
  meaning: () => "",
  doing: () => ({ away: "", parts: [], points: null }),
  wording: { label: pretty, said: (_, value) => pretty(String(value)), flag: (_, yes) => t(yes ? "yes" : "no") },
  held: ({ name = "", ...said }) =>
    [name, ...Object.values(said)]
      .filter(Boolean)
      .map((each) => pretty(String(each)))
      .join(" "),
  leftName: () => null,
  atOnce: [],
  changes: {
    about: () => null,
    sign: () => null,
    said: () => null,
    whole: () => null,
    follows: ["step", "turn"],
    rank: () => 0,
  },
  begin: () => null,
  between: () => null,
  scenePanels: () => [],
  storyPanels: () => [],
};
