/** The top of a seat's page: the character, its current task, and warnings. */

import { banners } from "../../core/banners.js";
import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { game } from "../../core/game.js";
import { anyOf, readiness } from "../../core/generic.js";
import { portrait } from "../../core/portrait.js";
import { prompt } from "../../core/prompt.js";
import { plug } from "../../core/shapes.js";
import { isBad, liesWords } from "../../core/signals.js";
import { knows, list, pretty, sentence, t } from "../../core/texts.js";
import { timer } from "../../core/timer.js";

/** @typedef {import("../../core/types").Actor} Actor */
/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/** The choice that sets nothing against the last card. */
const PASS = "pass";
/** More awaited characters than this are told as a number. */
const FEW = 4;

/**
 * An optional choice that the player should be told about.
 * @param {Ui} ui
 * @param {string} name
 */
const callTo = (ui, name) =>
  ui.questions
    .filter(({ actor }) => actor === name)
    .flatMap(({ offers }) => offers)
    .find(({ kind }) => game().calls.includes(kind))?.kind;

/**
 * The question that a character has to answer.
 * @param {Ui} ui
 * @param {string} name
 */
const asked = (ui, name) =>
  ui.questions.find(
    ({ actor, offers, free }) => actor === name && offers.some(({ kind }) => kind === PASS || !free.includes(kind)),
  );

/**
 * Whether a card is awaited from this character and not laid yet.
 * @param {State|null} state
 * @param {Actor} actor
 */
export const mustSeal = (state, actor) =>
  state !== null &&
  state.phase === "sealed" &&
  state.awaited.includes(actor.name) &&
  !state.committed.includes(actor.name);

/**
 * Whether a card of this character lies sealed.
 * @param {State} state
 * @param {Actor} actor
 */
export const isSealed = ({ phase, committed }, { name }) =>
  ["sealed", "locked", "paused"].includes(phase) && committed.includes(name);

/**
 * Whether this character has something to do.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor} actor
 */
export const isWanted = (state, ui, actor) =>
  mustSeal(state, actor) || callTo(ui, actor.name) !== undefined || asked(ui, actor.name) !== undefined;

/**
 * A character's task, in a few words.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor} [actor]
 */
export function want(state, ui, actor) {
  if (state && ui.free) return t("own.want.fresh");
  if (!state || !actor) return t("waiting");
  if (state.phase === "idle" && state.evening_over) return t("farewell");
  if (["idle", "paused", "locked"].includes(state.phase)) return t(state.phase);
  if (state.step === "over") return prompt(state).head;
  if (mustSeal(state, actor)) {
    const kind = actor.kinds[0] ?? state.step;
    return t(knows(`own.want.${kind}`) ? `own.want.${kind}` : "own.want.card");
  }
  if (state.phase === "sealed" && state.committed.includes(actor.name))
    return state.answers.includes(actor.name) ? t("own.want.answer") : ready(state, ui, actor.name);
  const call = callTo(ui, actor.name);
  if (call) return t(`own.want.${call}`);
  const question = asked(ui, actor.name);
  if (question) return t(knows(`own.want.${question.step}`) ? `own.want.${question.step}` : "own.want.decide");
  return state.committed.includes(actor.name) ? ready(state, ui, actor.name) : t("own.want.nothing");
}

/** The awaited characters that have not chosen yet. @param {State} state */
const left = ({ awaited, committed }) => awaited.filter((each) => !committed.includes(each));

/**
 * Whether the title of a character that has chosen names whom the table waits for.
 * @param {State} state
 * @param {string} name
 */
const isNamed = (state, name) =>
  state.phase === "sealed" && state.committed.includes(name) && left(state).length <= FEW;

/**
 * A character that has chosen: whom the table still waits for.
 * @param {State} state
 * @param {Ui} ui
 * @param {string} name
 */
function ready(state, ui, name) {
  const names = left(state);
  if (!names.length) return state.answers.length ? t("ready.answers", { waiting: list(state.answers) }) : t("locked");
  const waiting = anyOf(state, names);
  if (ui.actors.length > 1) return t("ready.some", { ready: pretty(name), waiting, count: 1 });
  if (names.length > FEW) return t("own.want.ready.number", { number: names.length });
  const count = new Set(names.map((each) => state.one_of.find((group) => group.includes(each)) ?? each)).size;
  return t("own.want.ready", { waiting: sentence(waiting), count });
}

/**
 * Tabs, if a seat plays several characters.
 * @param {State|null} state
 * @param {Ui} ui
 */
function tabs(state, ui) {
  if (ui.actors.length < 2)
    return h(
      "p",
      { class: "own-name", key: "name" },
      ui.actors[0] && portrait(ui.actors[0].name),
      pretty(ui.actors[0]?.name ?? ui.seat),
    );
  return h(
    "nav",
    { class: "own-tabs", key: "tabs", "aria-label": t("own.characters"), "data-arrows": true },
    ui.actors.map((/** @type {Actor} */ actor) => {
      const wanted = isWanted(state, ui, actor);
      const current = actor.name === ui.current;
      return h(
        "button",
        {
          type: "button",
          key: actor.name,
          "data-tab": actor.name,
          "aria-current": current && "true",
          class: wanted && "wanted",
        },
        h("span", {}, portrait(actor.name), pretty(actor.name)),
        wanted && h("small", {}, t("own.awaited")),
      );
    }),
  );
}

/**
 * The page's header: the character, the timer, a lost connection.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {import("../../core/types").Status} status
 */
export function head(state, ui, status) {
  return h(
    "header",
    { class: "own-head", key: "head" },
    banners(state, status),
    h("div", { class: "own-who", key: "who" }, tabs(state, ui), state?.timer && timer(state)),
  );
}

/**
 * The moment: the task, the headline, warnings, and how to lay a card.
 * @param {State|null} state
 * @param {Ui} ui
 * @param {Actor} [actor]
 */
export function moment(state, ui, actor) {
  const wanted = Boolean(state && actor && isWanted(state, ui, actor));
  const { head: now, more: told } = prompt(state);
  const title = want(state, ui, actor);
  const more = state && actor && isNamed(state, actor.name) && told === readiness(state) ? "" : told;
  const wordFor = state && actor && (mustSeal(state, actor) ? actor.kinds[0] : isSealed(state, actor) && "sealed");
  const lost = state?.seats.some((seat) => seat.seat === ui.seat && seat.reader === "lost");
  const lies = !lost && ui.lies && liesWords(ui.lies, ui.seen);
  const reader = state && actor && mustSeal(state, actor) && !lies && t(lost ? "own.reader.lost" : "own.reader");
  const full = /[.?!]$/.test(now) ? now : `${now}.`;
  const played = state?.game ? game().scene(state) : null;
  const scene = [
    state?.title,
    state && played?.turns && state.turn_number > 0 && t("turn", { number: state.turn_number }),
  ];
  return h(
    "section",
    { class: `own-moment ${wanted ? "wanted" : ""} ${state?.phase ?? ""}`, key: "moment", "aria-labelledby": "want" },
    h("p", { class: "eyebrow", key: "scene" }, scene.filter(Boolean).join(" · ")),
    h(
      "div",
      { class: "own-want", key: "want" },
      wordFor && ask(wordFor),
      h("h1", { id: "want", tabindex: "-1" }, title),
    ),
    h("p", { class: "now", key: "now" }, now === title ? !wanted && more : wanted ? full : `${full} ${more}`),
    played?.about && h("p", { class: "own-problem", key: "problem" }, played.about),
    (state && actor ? game().dangers(state, actor.name) : []).map(([kind, text]) =>
      h("p", { class: `own-danger ${kind}`, key: kind }, text, " ", ask(kind)),
    ),
    lies && h("p", { class: `own-reader ${isBad(ui.lies) ? "lies" : ""}`, key: "lies", "data-lies": ui.lies }, lies),
    reader && h("p", { class: `own-reader ${lost ? "lost" : ""}`, key: "reader" }, lost && plug, reader),
  );
}
