/** The virtual table's page: hands, readers, decisions, and a look at what everybody sees. */

import { changeAloud, sayAloud } from "./aloud.js";
import { choiceName } from "./cards.js";
import { hear, hearServer } from "./clock.js";
import { Commander, outcomeWords, placeOf } from "./commands.js";
import { Connection } from "./connection.js";
import { commands, decisions } from "./decisions.js";
import { h, morph } from "./dom.js";
import { letDrag } from "./drag.js";
import { seatPanel } from "./hands.js";
import { letKeys } from "./keys.js";
import { isProblem, problemView } from "./problem.js";
import { explained, loadReasons } from "./reasons.js";
import { prompt } from "./say.js";
import { editSplit } from "./split.js";
import { miniature } from "./stage.js";
import { readState } from "./state.js";
import { storyPanel, wish } from "./telling.js";
import { knows, loadTexts, t } from "./texts.js";

const ASK_MS = 4000;
const BAD = ["refused", "unknown", "two-cards", "not-awaited"];

const root = document.getElementById("root");
let state = null;
let status = "opening";
let lastId = 0;
const sent = new Map();
/** What this page knows beside the state. */
const ui = {
  readers: [],
  hands: {},
  questions: [],
  told: {},
  picked: null,
  splits: {},
  refused: "",
  asking: false,
  deeds: [],
  cast: [],
  picks: new Set(),
  pending: (place) => commander.pending(place),
};

/** Where the focus was when its element went away: a seat, or "" for the decisions. */
let homeless = null;

/** Draw, and give the focus a new home if the drawing has taken its old one. */
function render() {
  const held = document.activeElement;
  const inside = held !== document.body && root.contains(held);
  const seat = held?.closest?.("[data-panel]")?.dataset.panel ?? "";
  draw();
  if (inside && (!held.isConnected || held.disabled)) homeless = seat;
  else if (inside) homeless = null;
  const home = homeless !== null && newHome(homeless);
  if (home) {
    home.focus();
    homeless = null;
  }
}

/** What somebody without a mouse will want next: the seat's reader, or the sensible answer. */
function newHome(seat) {
  const panel = `[data-panel="${seat}"]`;
  const answers = [".decisions .offer.default:not(:disabled)", ".decisions .offer:not(:disabled)"];
  let homes = state?.phase === "sealed" ? [".fits[data-card]", "[data-card]:not(:disabled)"] : answers;
  if (seat) homes = [`${panel} [data-lift]`, `${panel} [data-put]:not(:disabled)`, `${panel} [data-card]:not(:disabled)`];
  return homes.map((found) => root.querySelector(found)).find(Boolean);
}

function draw() {
  const lost = status !== "open" && (status !== "opening" || state);
  const words = t(status === "locked" ? "connection.locked" : "connection.lost");
  morph(
    root,
    h(
      "div",
      {},
      lost && h("p", { class: "connection", role: "alert", key: "connection" }, words),
      bar(),
      h(
        "main",
        { class: status === "open" ? "" : "cut-off", key: "main" },
        decisions(state, ui),
        storyPanel(state, ui),
        h("p", { class: "help", key: "help" }, t("hand.help")),
        h("h2", { class: "unseen", key: "seats" }, t("seats")),
        h("div", { class: "panels", key: "panels" }, ui.readers.map((reader) => seatPanel(state, ui, reader))),
        state?.game?.characters && miniature(state),
        isProblem(state?.game) && problemView(state),
        foot(),
      ),
    ),
  );
}

function bar() {
  const { head, more } = prompt(state);
  const title = state?.title || t("table.title");
  return h(
    "header",
    { class: "bar", key: "bar" },
    h("div", { class: "now" }, h("p", { class: "eyebrow" }, title), h("h1", {}, head), h("p", {}, more)),
    commands(state, ui),
  );
}

function foot() {
  const link = h("a", { href: "display", target: "_blank", rel: "noopener" }, t("table.display"));
  return h("p", { class: "foot", key: "foot" }, link);
}

const readerOf = (seat) => ui.readers.find((reader) => reader.seat === seat);
const cardOf = (tag) => Object.values(ui.hands).flat().find((card) => card.tag === tag);

/** Move a card or a cable; a refusal is shown at `seat`. */
function ask(message, seat) {
  const id = String((lastId += 1));
  if (connection.send({ ...message, id })) sent.set(id, seat);
}

/** Lay a card onto a seat's reader, in place of what lies there; with Shift, beside it. */
function lay(tag, seat, event) {
  const reader = readerOf(seat);
  if (!reader || !ui.hands[seat]?.some((card) => card.tag === tag)) return;
  ui.picked = null;
  if (reader.tags.length && !event.shiftKey) ask({ do: "lift", reader: reader.name }, seat);
  ask({ do: "place", reader: reader.name, tag }, seat);
  render();
}

/** Take one card, or every card, off a seat's reader. */
function lift(seat, tag = null) {
  const reader = readerOf(seat);
  if (reader?.tags.length) ask({ do: "lift", reader: reader.name, ...(tag && { tag }) }, seat);
}

function pick(tag) {
  ui.picked = ui.picked === tag ? null : tag;
  const card = cardOf(tag);
  if (ui.picked && card) sayAloud(t("card.picked", { card: choiceName(card.kind, card.value) }));
  render();
}

/** Put the picked card back into the hand; whether there was one. */
function putBack() {
  const had = ui.picked !== null;
  if (had) pick(ui.picked);
  return had;
}

function command(button) {
  const { command: name, actor, choice, ask: unsure } = button.dataset;
  if (unsure !== undefined) {
    ui.asking = true;
    setTimeout(() => {
      ui.asking = false;
      render();
    }, ASK_MS);
    return render();
  }
  ui.asking = false;
  commander.press({ command: name, ...(actor && { actor }), ...(choice && { choice }) }, placeOf(button.dataset));
}

/** What the GM presses in the story's panel. */
function tell(data) {
  const words = (id) => document.getElementById(id).value.trim();
  if (data.pick) {
    if (!ui.picks.delete(data.pick)) ui.picks.add(data.pick);
    return render();
  }
  if (data.deed) return commander.press({ command: "tell-story", deed: data.deed }, data.deed);
  if (data.npc !== undefined) {
    return commander.press({ command: "tell-story", deed: `npc ${words("npc-words")}` }, "npc");
  }
  if (data.boxes) {
    const deed = `countdown new ${data.boxes} ${words("countdown-name")}`;
    return commander.press({ command: "tell-story", deed }, "countdown new");
  }
  const scene = wish(state, ui, data.stage, words("scene-words"));
  return commander.press({ command: "start-scene", scene }, "start-scene");
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.disabled || button.ariaDisabled === "true") return;
  const data = button.dataset;
  if (data.card) pick(data.card);
  else if (data.lift) lift(data.seat, data.lift);
  else if (data.put && ui.picked) lay(ui.picked, data.put, event);
  else if (data.cable) ask({ do: data.cable, reader: readerOf(data.seat).name }, data.seat);
  else if (data.command) command(button);
  else if (data.pick || data.deed || data.boxes || data.stage || data.npc !== undefined) tell(data);
  else if (data.split || data.suggested) {
    ui.splits = editSplit(state, ui, data);
    render();
  }
});

function onReply(frame) {
  const seat = sent.get(frame.id);
  sent.delete(frame.id);
  if (seat) {
    if (!frame.ok) ui.told[seat] = { text: frame.reason, bad: true };
  } else commander.onReply(frame);
}

function onOutcome() {
  ui.refused = commander.outcome?.ok ? "" : outcomeWords(commander.outcome);
  render();
}

function onTell({ seat, signal, why }) {
  const text = why || (knows(`signal.${signal}`) ? t(`signal.${signal}`) : signal);
  ui.told[seat] = { text, bad: BAD.includes(signal) };
}

const handlers = {
  event: (frame) => hear(frame.line.at_ms),
  state: (frame) => {
    const next = readState(frame);
    if (state && next.step !== state.step) {
      Object.assign(ui, { told: {}, refused: "" });
      commander.outcome = null;
    }
    sayAloud(changeAloud(state, next));
    commander.onState(next);
    state = next;
  },
  deeds: ({ deeds, cast }) => Object.assign(ui, { deeds, cast }),
  questions: (frame) => (ui.questions = frame.questions),
  bench: (frame) => {
    ui.readers = frame.readers;
    ui.hands = Object.fromEntries(frame.hands.map((hand) => [hand.seat, hand.cards]));
  },
  tell: onTell,
  reply: onReply,
};

await Promise.all([loadTexts().then(loadReasons), hearServer()]);
const connection = new Connection(
  "ws/table",
  (frame) => {
    handlers[frame.type]?.(explained(frame));
    render();
  },
  (now) => {
    if (now !== "open") sent.clear();
    status = now;
    commander.onStatus(now);
    render();
  },
);
const commander = new Commander(connection, { onChange: onOutcome });
letDrag(root, lay);
letKeys(root, { lay, lift, drop: putBack });
render();
