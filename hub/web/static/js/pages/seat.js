/** A seat's page: its cards to seal, its decisions, its sheets, and the table around it. */

import { GAMES } from "#games";
import { changeAloud, sayAloud } from "../core/aloud.js";
import { Besides, samePhase } from "../core/besides.js";
import { follow } from "../core/boot.js";
import { Coming } from "../core/come.js";
import { Commander, outcomeWords, placeOf } from "../core/commands.js";
import { questionSections } from "../core/decisions.js";
import { h, morph, nearest, pageRoot } from "../core/dom.js";
import { explains, letExplain } from "../core/explain.js";
import { game, gameOf } from "../core/game.js";
import { guardPresses } from "../core/guard.js";
import { looks } from "../core/looks.js";
import { letUpload, wearing } from "../core/picture.js";
import { explained, loadReasons } from "../core/reasons.js";
import { isBad, signalWords } from "../core/signals.js";
import { letSeal } from "../core/tabstop.js";
import { knows, language, languages, pretty, setLanguage, t } from "../core/texts.js";
import { fillLines, letWrite, readValue } from "./gm/act.js";
import { App } from "./seat/app.js";
import { around } from "./seat/around.js";
import { beside, choices, choiceWords, lying, sealed, thumb } from "./seat/choices.js";
import { Company } from "./seat/company.js";
import { Feeling } from "./seat/feeling.js";
import { fresh, waits } from "./seat/fresh.js";
import { takeOver } from "./seat/hub.js";
import { Kept } from "./seat/kept.js";
import { head, isSealed, isWanted, moment, mustSeal, want } from "./seat/moment.js";
import { Own } from "./seat/own.js";
import { Sight } from "./seat/sight.js";
import { buzz, buzzAsked, buzzIfShown, letArrows, letHold } from "./seat/touch.js";
import { wantedBar } from "./seat/wanted.js";

const TICK_MS = 250;
/** How long a refusal stays readable after the table has gone on. */
const READ_MS = 6000;
const FORGET = ["taken-back", "seal-dropped"];
/** Commands sent from a form, which is cleared afterwards. */
const FILLED = ["wish", "add"];
/** Events that are announced because they remove a question. */
const SAID = ["undone", "scene-called-off", "scene-reopened"];
const FORGET_ALL = ["revealed", "undone", "scene-ended", "scene-started", "scene-called-off", "scene-reopened"];

/** @typedef {import("../core/types").Actor} Actor */
/** @typedef {import("../core/types").Frames} Frames */
/** @typedef {import("../core/types").State} State */

const root = pageRoot();
/**
 * The drawn state; during a reveal it differs from the newest one that was told.
 * @type {State|null}
 */
let state = null;
/** @type {State|null} */
let told = null;
/** @type {import("../core/types").Status} */
let status = "opening";
/** The page's knowledge besides the state. @type {import("../core/types").Ui} */
const ui = {
  seat: decodeURIComponent(location.pathname.split("/").pop() ?? ""),
  actors: [],
  /** A problem with the card on the reader. */
  lies: null,
  /** When the reader last worked, if it sees nothing now. */
  seen: null,
  /** Whether the seat has no character and its player may ask for one. */
  free: false,
  /** The family of the configured scene, whose sheets are shown before it begins. */
  coming: null,
  current: "",
  questions: [],
  /** The questions as the hub sends them. */
  asked: [],
  splits: {},
  /** Values of forms, and the unfolded parts. */
  forms: {},
  folds: new Set(),
  picked: null,
  said: { text: "", bad: false, of: "" },
  /** Cards sealed from this page, by character: see `own.js`. */
  own: new Map(),
  besides: new Besides(),
  company: new Company(),
  peeking: false,
  pending: (/** @type {string} */ place) => commander.pending(place),
  redraw: () => render(),
};
const coming = new Coming(root, ".own-do");
const kept = new Kept(ui.seat);
const own = new Own(ui.seat);
const app = new App(() => render());
const feeling = new Feeling(() => render());
/** Whether the question, and the sealed card, are in sight. */
const doing = new Sight(() => render(), { rootMargin: "-80px 0px -120px" });
const laid = new Sight(() => render(), { rootMargin: "-60px 0px -60px", threshold: 0.6 });
/** Place → command, until it is answered. */
const asked = new Map();
/** The newest outcome that was reported. @type {import("../core/types").Outcome|null} */
let answered = null;
/** @type {import("../core/connection.js").Connection|null} */
let connection = null;
const commander = new Commander({ send: (message) => connection?.send(message) ?? false }, { onChange: onOutcome });
Object.assign(ui, { commander });
/** A notice to show when the current question is gone. */
let news = "";
/** The characters wanted at the last look. @type {string[]} */
let wantedBefore = [];

/** The family of the scene that comes next, while there is neither a scene nor a story. */
const nextGame = () => (state && ui.coming ? gameOf({ ...state, timer: null, family: ui.coming }) : null);

/** @returns {Actor|undefined} */
const current = () => ui.actors.find((/** @type {Actor} */ actor) => actor.name === ui.current) ?? ui.actors[0];

/**
 * Draw; if the focused element disappears, focus the current task's heading. So a repeated Enter
 * does nothing, and the next Tab leads to the cards.
 */
function render() {
  const held = document.activeElement;
  const inside = held !== null && held !== document.body && root.contains(held);
  draw();
  fillLines(root, ui);
  doing.watch(root.querySelector(".own-do"));
  laid.watch(root.querySelector(".own-sealed"));
  coming.drawn(askedNow(), Boolean(ui.picked) || explains());
  if (!inside || (held.isConnected && !held.matches(":disabled"))) return;
  const next = root.querySelector("[data-step]") ?? document.getElementById("want");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/**
 * Identifies what the current character has to see: its question, or its card that was just sealed;
 * empty if there is neither.
 */
function askedNow() {
  const actor = current();
  if (!state || !actor) return "";
  const { scene, phase } = state.version;
  if (isSealed(state, actor)) return [actor.name, scene, phase, "sealed"].join(" ");
  if (!isWanted(state, ui, actor)) return "";
  const kinds = ui.questions.filter((one) => one.actor === actor.name).map((one) => one.step);
  return [actor.name, scene, phase, mustSeal(state, actor), ...kinds].join(" ");
}

function draw() {
  const actor = current();
  const questions = questionSections(state, {
    ...ui,
    questions: ui.questions.filter((one) => one.actor === actor?.name),
  });
  document.title = [actor && pretty(actor.name), "Facedown"].filter(Boolean).join(": ");
  morph(
    root,
    h(
      "div",
      {},
      head(state, ui, status),
      h(
        "main",
        { class: `own-page ${status === "open" ? "" : "cut-off"} phase-${state?.phase ?? "none"}`, key: "main" },
        h(
          "div",
          { class: "own-do", key: "do" },
          ui.company.note(),
          kept.alarm(),
          feeling.line(),
          takeOver(state, ui, actor),
          moment(state, ui, actor),
          state && ui.free && fresh(state, ui),
          state && actor?.waits && waits(state, ui, actor),
          state && actor && mustSeal(state, actor) && game().facing(state, actor.name),
          actor && sealed(state, ui, actor),
          questions.length > 0 &&
            h(
              "div",
              { class: "own-questions", key: "questions" },
              h("h2", { class: "unseen", key: "title" }, t("table.decisions")),
              questions,
            ),
          actor && choices(state, ui, actor),
          actor && beside(state, ui, actor),
          state && actor && game().own(state, ui, actor),
        ),
        actor && !actor.waits && (nextGame() ?? game()).sheet(state, actor),
        state && actor && !actor.waits && looks(state, ui, actor.name),
        around(state),
        foot(),
        kept.note(state),
      ),
      thumb(
        state,
        ui,
        actor,
        wantedBar(wantedBefore, actor?.name ?? "", want(state, ui, actor), doing.away),
        laid.away && lying(state, ui, actor),
      ),
      feeling.cry(),
    ),
  );
}

/** Buttons for browser features and, if there are several, the choice of a language. */
function foot() {
  /** @param {string} code */
  const name = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code);
  /** @param {string} code */
  const option = (code) =>
    h("option", { value: code, key: code, lang: code, selected: code === language() }, name(code));
  const tongue =
    languages().length > 1 &&
    h("label", {}, t("own.language"), h("select", { "data-language": true }, languages().map(option)));
  return h("div", { class: "own-foot", key: "foot" }, app.buttons(), tongue);
}

/**
 * @param {string} text
 * @param {boolean} [bad]
 * @param {string} [of] the command, if this reports its success
 */
function say(text, bad = false, of = "") {
  ui.said = { text, bad, of };
}

/** The table has gone on: clear the message. A refusal stays until it can have been read. */
function goOn() {
  const { said } = ui;
  if (!said.bad || news) return say(news);
  setTimeout(() => {
    if (ui.said !== said) return;
    say("");
    render();
  }, READ_MS);
}

/** @param {string} choice */
function pick(choice) {
  ui.picked = ui.picked === choice ? null : choice;
  say(ui.picked ? t("own.picked", { card: choiceWords(choice) }) : "");
  render();
}

/**
 * Give a command, and remember it until it is answered.
 * @param {import("../core/types").Command} command
 * @param {string} [place]
 */
function press(command, place = placeOf(command)) {
  if (!ui.pending(place)) asked.set(place, { ...command, version: state?.version });
  if (commander.press(command, place)) say(t("own.sending"));
  render();
}

/**
 * A tap on a special sets it beside, or withdraws it.
 * @param {string} choice
 */
function setBeside(choice) {
  const place = `beside ${ui.current}`;
  const command = ui.besides.command(ui.current, choice);
  if (!ui.pending(place)) ui.besides.press(place, command, state?.version);
  press(command, place);
}

/** Data attribute → handler of a button. @type {Record<string, (data: DOMStringMap) => unknown>} */
const PRESSES = {
  pick: ({ pick: choice = "" }) => pick(choice),
  unpick: () => pick(ui.picked),
  seal: ({ seal: actor = "" }) =>
    ui.picked && press({ command: "commit", actor, choice: ui.picked }, `commit ${actor}`),
  beside: ({ beside: choice = "" }) => setBeside(choice),
  command: ({ command = "", actor, choice }) => press({ command, actor, ...(choice && { choice }) }),
  company: () => {
    ui.company.accept();
    render();
  },
  take: ({ take = "", by }) =>
    press(
      by === "gm"
        ? { command: "play-for", actor: take, on: false }
        : { command: "let-hub-play", actors: [take], on: false },
      `take ${take}`,
    ),
  tab: ({ tab }) => {
    Object.assign(ui, { current: tab, picked: null });
    render();
  },
  fill: () => app.fill(),
  install: () => app.install(),
  come: ({ come }) => {
    Object.assign(ui, { current: come, picked: null });
    render();
    coming.come();
    const next = root.querySelector("[data-step]") ?? document.getElementById("want");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  },
  press: ({ press: command = "", place }) => press(JSON.parse(command), place),
  form: (data) => fill(data.form ?? "", data.field ?? "", readValue(ui, data)),
  fold: ({ fold = "" }) => {
    ui.folds.delete(fold) || ui.folds.add(fold);
    render();
  },
  split: (data) => edit(data),
  suggested: (data) => edit(data),
};

/**
 * Set a form's field.
 * @param {string} name
 * @param {string} field
 * @param {unknown} value
 */
function fill(name, field, value) {
  ui.forms[name] = field === "*" ? value : { ...ui.forms[name], [field]: value };
  render();
}

/** @param {DOMStringMap} data */
function edit(data) {
  if (state) ui.splits = game().edit(state, ui, data);
  render();
}

root.addEventListener("click", (event) => {
  const button = nearest(event, "button");
  if (!(button instanceof HTMLButtonElement) || button.disabled) return;
  if (button.ariaDisabled === "true") {
    const { why } = button.dataset;
    if (why) say(t("reply.illegal", { reason: why }), true);
    return render();
  }
  const name = Object.keys(PRESSES).find((one) => one in button.dataset);
  if (name) PRESSES[name]?.(button.dataset);
});

root.addEventListener("change", async (event) => {
  if (!(event.target instanceof HTMLSelectElement) || !event.target.matches("[data-language]")) return;
  await setLanguage(event.target.value);
  await loadReasons();
  say("");
  render();
});

/** Handle an answer: report it, and remember the card that was sealed. */
function onOutcome() {
  const { outcome } = commander;
  if (outcome && outcome !== answered) {
    answered = outcome;
    const command = asked.get(outcome.place);
    asked.delete(outcome.place);
    const holds = command && samePhase(command.version, state?.version);
    if (outcome.ok && holds && outcome.place.startsWith("commit ")) {
      ui.own.set(command.actor, command.choice);
      ui.picked = null;
    }
    if (outcome.ok && command?.command === "commit") own.sealed(command.actor, command.choice, outcome);
    if (outcome.ok && FILLED.includes(outcome.place.split(" ")[0] ?? "")) ui.forms = {};
    ui.besides.answered(outcome, state?.version);
    const [of = ""] = outcome.place.split(" ");
    const done = `own.done.${of}`;
    say(outcome.ok && knows(done) ? t(done) : outcomeWords(outcome), !outcome.ok, outcome.ok ? of : "");
  }
  render();
}

/** Forget the cards sealed from this page: they are gone, or may be. */
function forgetAll() {
  ui.own.clear();
  ui.besides.clear();
}

/** @param {Frames["event"]} frame */
function onEvent({ line }) {
  if (told) kept.onLine(line, told, ui.own);
  own.onLine(line);
  if (SAID.includes(line.type)) news = t(`notice.${line.type}`);
  if (line.type === "story-undone") say("");
  if (FORGET.includes(line.type)) {
    ui.own.delete(line.actor);
    // A later answer is about a card that is gone.
    asked.delete(`commit ${line.actor}`);
  }
  if (line.type === "withdrawn") ui.besides.withdrawn(line.actor);
  if (FORGET_ALL.includes(line.type)) forgetAll();
}

/**
 * Let the player feel an outcome for one of the seat's characters.
 * @param {State} after
 * @param {State|null} before
 * @returns {boolean} whether it buzzes, or did for the same outcome
 */
function feel(after, before = told) {
  const pattern = feeling.told(
    before,
    after,
    ui.actors.map((/** @type {Actor} */ { name }) => name),
  );
  if (pattern) buzz(pattern);
  return pattern !== null || feeling.last !== null;
}

/** @param {State} next */
function onState(next) {
  const before = told;
  told = next;
  kept.onState(told);
  if (!samePhase(before?.version, told.version)) forgetAll();
  if (before && told.step !== before.step) goOn();
  if (before && told.game && !before.game && !ui.picked) scrollTo({ top: 0 });
  news = "";
  sayAloud(changeAloud(before, told));
  if (!feel(told, before)) buzzIfShown(before, told);
  commander.onState(told);
  app.awake(told.game !== null && told.phase !== "over");
  state = told;
}

/** Update the questions as the current family puts them. */
const ask = () => (ui.questions = state ? game().asks(state, ui, ui.asked) : ui.asked);

/** Turn to an awaited character, unless a card is picked. */
function attend() {
  ask();
  const here = current();
  ui.current = here?.name ?? "";
  const open =
    here !== undefined &&
    mustSeal(state, here) &&
    here.offers.some((offer) => offer.choice === ui.picked && !offer.reason);
  if (!open) ui.picked = null;
  /** @type {string[]} */
  const now = ui.actors
    .filter((/** @type {Actor} */ actor) => isWanted(state, ui, actor))
    .map((/** @type {Actor} */ { name }) => name);
  if (now.length && !now.includes(ui.current) && !ui.picked) ui.current = now[0];
  const news = now.some((name) => !wantedBefore.includes(name));
  wantedBefore = now;
  if (news) buzzAsked();
}

/** @param {Frames["tell"]} frame */
function onTell({ signal, reason }) {
  // A problem with the reader is shown elsewhere while it lasts.
  if (!reason && isBad(signal)) return sayAloud(signalWords(signal));
  const text = signalWords(signal, reason);
  if (text) say(text, isBad(signal));
}

/** @param {import("../core/types").Frame} frame */
function take(frame) {
  if (frame.type === "event") onEvent(frame);
  else if (frame.type === "questions") ui.asked = frame.questions;
  else if (frame.type === "hand" && frame.seat === ui.seat) {
    const wished = ui.actors
      .filter((/** @type {Actor} */ { wish }) => wish)
      .map((/** @type {Actor} */ { name }) => name);
    Object.assign(ui, {
      actors: frame.actors,
      lies: frame.lies,
      seen: frame.seen_ms,
      free: frame.free,
      coming: frame.family,
    });
    // The page says that a wish was sent until the wish is answered.
    const now = frame.actors.find(({ name, wish }) => wished.includes(name) && !wish);
    if (now && ui.said.of === "wish") say(now.declined ? "" : t("own.granted"));
    own.onHand(frame.actors, ui.own, ui.besides);
  } else if (frame.type === "company") ui.company.counted(frame);
  else if (frame.type === "elsewhere") ui.company.heard(frame);
  else if (frame.type === "tell") onTell(frame);
  else if (frame.type === "preview") ui.commander.onPreview(frame);
  else if (frame.type === "beginning") ui.beginning = frame.beginning;
  else if (frame.type === "reply") commander.onReply(frame);
}

letUpload(root, {
  ui,
  render: () => render(),
  say: (words) => say(words, true),
  take: (name, digest) => state && press(wearing(state, name, digest), `portray ${name} picture`),
});
letExplain(root, {
  means: () => Object.assign({}, ...ui.actors.map((/** @type {Actor} */ { means }) => means)),
  onClose: render,
});
connection = await follow({
  path: `ws/seat/${encodeURIComponent(ui.seat)}`,
  games: GAMES,
  faces: ["stage", "seat"],
  asks: true,
  prepare: loadReasons,
  news: (come) => commander.onNews(come),
  show: (shown) => {
    feel(shown);
    state = shown;
    ask();
    render();
  },
  tell: (frame, next) => {
    take(explained(frame));
    if (next) onState(next);
    attend();
    render();
  },
  onStatus: (now, code) => {
    status = now;
    // During a gap another card may be laid: forget the cards sealed here, and later answers about
    // cards that may be gone.
    if (now !== "open") {
      ui.beginningOf = null;
      forgetAll();
      asked.clear();
    }
    commander.onStatus(now, code);
    render();
  },
});
letWrite(root, fill);
guardPresses(root);
letArrows(root);
letSeal(root);
letHold(root, (held) => {
  if (ui.peeking === held) return;
  ui.peeking = held;
  render();
});
render();
setInterval(() => state?.timer && render(), TICK_MS);
