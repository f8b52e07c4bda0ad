/** A seat's page: its cards to seal, its decisions, its sheets, and the table around it. */

import { changeAloud, sayAloud } from "../core/aloud.js";
import { Besides, samePhase } from "../core/besides.js";
import { Commander, outcomeWords, placeOf } from "../core/commands.js";
import { Coming } from "../core/come.js";
import { follow } from "../core/boot.js";
import { questionSections } from "../core/decisions.js";
import { h, morph, nearest, pageRoot } from "../core/dom.js";
import { explains, letExplain } from "../core/explain.js";
import { game } from "../core/game.js";
import { guardPresses } from "../core/guard.js";
import { looks } from "../core/looks.js";
import { letUpload, wearing } from "../core/picture.js";
import { App } from "./seat/app.js";
import { fillLines, letWrite, valueOf } from "./gm/act.js";
import { around } from "./seat/around.js";
import { takeOver } from "./seat/hub.js";
import { fresh, waits } from "./seat/fresh.js";
import { Company } from "./seat/company.js";
import { beside, choices, choiceWords, sealed, thumb } from "./seat/choices.js";
import { Kept } from "./seat/kept.js";
import { Own } from "./seat/own.js";
import { Feeling } from "./seat/feeling.js";
import { head, isWanted, moment, mustSeal, want } from "./seat/moment.js";
import { buzz, buzzAsked, buzzIfShown, letArrows, letHold } from "./seat/touch.js";
import { Wanted } from "./seat/wanted.js";
import { explained, loadReasons } from "../core/reasons.js";
import { isBad, signalWords } from "../core/signals.js";
import { letSeal } from "../core/tabstop.js";
import { knows, language, languages, pretty, setLanguage, t } from "../core/texts.js";
import { GAMES } from "#games";

const TICK_MS = 250;
/** So long somebody has to read why something was not done, once the table has gone on. */
const READ_MS = 6000;
const FORGET = ["taken-back", "seal-dropped"];
/** What was pressed in a form, which is empty then. */
const FILLED = ["wish", "add"];
/** What is said in the place of a question that goes. */
const SAID = ["undone", "scene-called-off", "scene-reopened"];
const FORGET_ALL = ["revealed", "undone", "scene-ended", "scene-started", "scene-called-off", "scene-reopened"];

/** @typedef {import("../core/types").Actor} Actor */
/** @typedef {import("../core/types").Frames} Frames */
/** @typedef {import("../core/types").State} State */

const root = pageRoot();
/** What is drawn, and the newest that was told: while cards turn over they differ. @type {State|null} */
let state = null;
/** @type {State|null} */
let told = null;
/** @type {import("../core/types").Status} */
let status = "opening";
/** What this page knows beside the state. @type {import("../core/types").Ui} */
const ui = {
  seat: decodeURIComponent(location.pathname.split("/").pop() ?? ""),
  actors: [],
  /** What is the matter with what lies on the reader. */
  lies: null,
  /** Until when the reader saw something, where nothing is seen. */
  seen: null,
  /** Whether nobody is played here, and somebody may be asked for. */
  free: false,
  current: "",
  questions: [],
  /** The same as the hub asks it. */
  asked: [],
  splits: {},
  /** What is filled in of forms, and which parts are open. */
  forms: {},
  folds: new Set(),
  picked: null,
  said: { text: "", bad: false, of: "" },
  /** What was sealed from here, by character: see `own.js`. */
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
const wanted = new Wanted(() => render());
/** What a press was about, until it is answered. */
const asked = new Map();
/** The newest outcome that was told. @type {import("../core/types").Outcome|null} */
let answered = null;
/** @type {import("../core/connection.js").Connection|null} */
let connection = null;
const commander = new Commander({ send: (message) => connection?.send(message) ?? false }, { onChange: onOutcome });
Object.assign(ui, { commander });
/** What has just happened to the table, to be said when its question is gone. */
let news = "";
/** Who was wanted when the page last looked. @type {string[]} */
let wantedBefore = [];

/** @returns {Actor|undefined} */
const current = () => ui.actors.find((/** @type {Actor} */ actor) => actor.name === ui.current) ?? ui.actors[0];

/**
 * Draw; if that takes away what had the focus, what is wanted now has it: a heading, so that one more
 * press of Enter does nothing, and the next Tab leads to the cards.
 */
function render() {
  const held = document.activeElement;
  const inside = held !== null && held !== document.body && root.contains(held);
  draw();
  fillLines(root, ui);
  wanted.watch(root.querySelector(".own-do"));
  coming.drawn(askedNow(), Boolean(ui.picked) || explains());
  if (!inside || (held.isConnected && !held.matches(":disabled"))) return;
  const next = root.querySelector("[data-step]") ?? document.getElementById("want");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/** What is asked of whoever the page has turned to; empty when nothing is. */
function askedNow() {
  const actor = current();
  if (!state || !actor || !isWanted(state, ui, actor)) return "";
  const { scene, phase } = state.version;
  const kinds = ui.questions.filter((one) => one.actor === actor.name).map((one) => one.step);
  return [actor.name, scene, phase, mustSeal(state, actor), ...kinds].join(" ");
}

function draw() {
  const actor = current();
  const questions = questionSections(state, { ...ui, questions: ui.questions.filter((one) => one.actor === actor?.name) });
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
          questions.length > 0 && h("div", { class: "own-questions", key: "questions" }, h("h2", { class: "unseen", key: "title" }, t("table.decisions")), questions),
          actor && choices(state, ui, actor),
          actor && beside(state, ui, actor),
          state && actor && game().own(state, ui, actor),
        ),
        actor && !actor.waits && game().sheet(state, actor),
        state && actor && !actor.waits && looks(state, ui, actor.name),
        around(state),
        kept.note(state),
        foot(),
      ),
      thumb(state, ui, actor, wanted.bar(wantedBefore, actor?.name ?? "", want(state, ui, actor))),
      feeling.cry(),
    ),
  );
}

/** What this browser can do with the page, and the choice of a language, where there is one. */
function foot() {
  /** @param {string} code */
  const name = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code);
  /** @param {string} code */
  const option = (code) => h("option", { value: code, key: code, lang: code, selected: code === language() }, name(code));
  const tongue = languages().length > 1 && h("label", {}, t("own.language"), h("select", { "data-language": true }, languages().map(option)));
  return h("div", { class: "own-foot", key: "foot" }, app.buttons(), tongue);
}

/**
 * @param {string} text
 * @param {boolean} [bad]
 * @param {string} [of] what was done, if it tells that
 */
function say(text, bad = false, of = "") {
  ui.said = { text, bad, of };
}

/** The table has gone on: what was said is over. Why something was not done stands until it can have been read. */
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
 * Give a command; what it was about is kept until it is answered.
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

/** What a button does, by what stands on it. @type {Record<string, (data: DOMStringMap) => unknown>} */
const PRESSES = {
  pick: ({ pick: choice = "" }) => pick(choice),
  unpick: () => pick(ui.picked),
  seal: ({ seal: actor = "" }) => ui.picked && press({ command: "commit", actor, choice: ui.picked }, `commit ${actor}`),
  beside: ({ beside: choice = "" }) => setBeside(choice),
  command: ({ command = "", actor, choice }) => press({ command, actor, ...(choice && { choice }) }),
  company: () => {
    ui.company.accept();
    render();
  },
  take: ({ take = "", by }) =>
    press(by === "gm" ? { command: "play-for", actor: take, on: false } : { command: "let-hub-play", actors: [take], on: false }, `take ${take}`),
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
  form: (data) => fill(data.form ?? "", data.field ?? "", valueOf(ui, data)),
  fold: ({ fold = "" }) => {
    ui.folds.delete(fold) || ui.folds.add(fold);
    render();
  },
  split: (data) => edit(data),
  suggested: (data) => edit(data),
};

/**
 * What a form says.
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

/** A press was answered: say it, and remember what lies face down because of it. */
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

/** Forget what was sealed from here: it lies there no longer, or perhaps not. */
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
    // An answer that comes after this is about a card that is gone.
    asked.delete(`commit ${line.actor}`);
  }
  if (line.type === "withdrawn") ui.besides.withdrawn(line.actor);
  if (FORGET_ALL.includes(line.type)) forgetAll();
}

/**
 * Let feel what has come out by now for somebody of this seat.
 * @param {State} after
 * @param {State|null} before
 * @returns {boolean} whether it buzzes, or did for the same
 */
function feel(after, before = told) {
  const pattern = feeling.told(before, after, ui.actors.map((/** @type {Actor} */ { name }) => name));
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

/** What is asked, as the family that is played puts it. */
const ask = () => (ui.questions = state ? game().asks(state, ui, ui.asked) : ui.asked);

/** Turn to whoever is awaited, unless a card is picked already. */
function attend() {
  ask();
  const here = current();
  ui.current = here?.name ?? "";
  const open = here !== undefined && mustSeal(state, here) && here.offers.some((offer) => offer.choice === ui.picked && !offer.reason);
  if (!open) ui.picked = null;
  /** @type {string[]} */
  const now = ui.actors.filter((/** @type {Actor} */ actor) => isWanted(state, ui, actor)).map((/** @type {Actor} */ { name }) => name);
  if (now.length && !now.includes(ui.current) && !ui.picked) ui.current = now[0];
  const news = now.some((name) => !wantedBefore.includes(name));
  wantedBefore = now;
  if (news) buzzAsked();
}

/** @param {Frames["tell"]} frame */
function onTell({ signal, reason }) {
  // What is the matter with the reader stands on the page as long as it is so.
  if (!reason && isBad(signal)) return sayAloud(signalWords(signal));
  const text = signalWords(signal, reason);
  if (text) say(text, isBad(signal));
}

/** @param {import("../core/types").Frame} frame */
function take(frame) {
  if (frame.type === "event") onEvent(frame);
  else if (frame.type === "questions") ui.asked = frame.questions;
  else if (frame.type === "hand" && frame.seat === ui.seat) {
    const wished = ui.actors.filter((/** @type {Actor} */ { wish }) => wish).map((/** @type {Actor} */ { name }) => name);
    Object.assign(ui, { actors: frame.actors, lies: frame.lies, seen: frame.seen_ms, free: frame.free });
    // Until it is answered the page says that a wish was sent.
    const now = frame.actors.find(({ name, wish }) => wished.includes(name) && !wish);
    if (now && ui.said.of === "wish") say(now.declined ? "" : t("own.granted"));
    own.onHand(frame.actors, ui.own, ui.besides);
  }
  else if (frame.type === "company") ui.company.counted(frame);
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
letExplain(root, { means: () => Object.assign({}, ...ui.actors.map((/** @type {Actor} */ { means }) => means)), onClose: render });
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
    // While nothing is heard another card may be laid: what was sealed here is not known any more, and
    // what is answered after that may not lie there any more.
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
