// @ts-nocheck
/** A seat of the virtual table: its reader as a pad, and its hand of cards beside it. */

import { choiceName, front, hue, turningCard } from "../../games/triangle/cards.js";
import { h } from "../../core/dom.js";
import { press } from "../../core/parts.js";
import { plug } from "../../games/triangle/shapes.js";
import { signalWords } from "../../core/signals.js";
import { list, pretty, seatName, sentence, t } from "../../core/texts.js";
import { faceUp } from "../../games/triangle/turnings.js";

const GROUPS = ["move", "stance", "special"];
/** The kind of card that a step awaits, where it bears another name. */
const AWAITS = { specials: "special" };
const PLAYING = ["sealed", "locked", "paused"];

const fitsStep = (state, kind) => kind === (AWAITS[state?.step] ?? state?.step);

/** Whether an offer is made with this card: a move's variant, and what a special copies, stand behind it. */
const isMadeWith = (written) => ({ choice, reason }) => !reason && (choice === written || choice.startsWith(`${written} `));

/** Whether a card could be laid now by somebody of the seat, as far as its own hand says. */
function fits(state, ui, seat, card) {
  const written = `${card.kind} ${card.value}`.trim();
  const offered = ({ offers }) => offers.some(isMadeWith(written));
  if (state.phase !== "sealed") {
    return ["open", "decision"].includes(state.phase) && ui.questions.some((one) => seat.characters.includes(one.actor) && offered(one));
  }
  const actors = (ui.hands[seat.seat]?.actors ?? []).filter(offered);
  const beside = card.value !== "none";
  return actors.some((actor) =>
    (actor.awaited && !actor.committed && actor.kinds.includes(card.kind)) || (beside && actor.beside_kinds.includes(card.kind)));
}

function handCard(card, { seat, picked, fit, lying }) {
  const modes = [fit && "fits", picked && "picked", lying && "away"].filter(Boolean);
  const name = choiceName(card.kind, card.value);
  return h(
    "button",
    {
      key: `card-${card.tag}`,
      type: "button",
      class: ["handcard", card.kind, hue(card.kind, card.value), ...modes].join(" "),
      "data-card": card.tag,
      "data-seat": seat,
      "aria-pressed": picked ? "true" : "false",
      "aria-label": name,
      disabled: lying,
    },
    front(card.kind, card.value, card.label),
  );
}

function hand(state, ui, seat, cards, tags) {
  const kinds = [...new Set([...GROUPS, ...cards.map((card) => card.kind)])];
  const order = kinds.sort((one, other) => fitsStep(state, other) - fitsStep(state, one));
  const groups = order.map((kind) => {
    const some = cards.filter((card) => card.kind === kind);
    if (!some.length) return null;
    const title = GROUPS.includes(kind) ? t(`hand.${kind}`) : t("hand.other");
    const drawn = some.map((card) =>
      handCard(card, {
        seat: seat.seat,
        picked: ui.picked === card.tag,
        fit: Boolean(state) && fits(state, ui, seat, card),
        lying: tags.includes(card.tag),
      }),
    );
    return h(
      "div",
      { class: `group ${fitsStep(state, kind) ? "now" : ""}`, key: `group-${kind}` },
      h("h4", {}, title),
      h("div", { class: "cards", role: "group", "aria-label": title }, drawn),
    );
  });
  return h("div", { class: "hand", role: "group", "aria-label": t("hand", { seat: pretty(seat.seat) }), key: "hand" }, groups);
}

/** What lies on the reader: face down once it is sealed. */
function lying(state, seat, card) {
  const { committed, step } = state;
  const lies = (name) => committed.includes(name) && faceUp(state, step, name) === null;
  const sealed = PLAYING.includes(state.phase) && seat.characters.some(lies);
  const name = choiceName(card.kind, card.value);
  return h(
    "button",
    {
      key: `lying-${card.tag}`,
      type: "button",
      class: "lying-card",
      "data-lift": card.tag,
      "data-seat": seat.seat,
      "aria-label": sealed ? t("card.facedown") : t("card.lies", { card: name }),
    },
    turningCard({
      key: "turning",
      kind: card.kind,
      value: sealed ? null : card.value,
      extra: "on-pad",
      hidden: t("card.facedown"),
    }),
  );
}

function pad(state, ui, seat, reader, cards) {
  const here = reader.tags.map((tag) => cards.find((card) => card.tag === tag)).filter(Boolean);
  const target = ui.picked && cards.some((card) => card.tag === ui.picked);
  const glows = reader.plugged && seat.awaited && !seat.committed && state?.phase === "sealed";
  const words = reader.plugged ? t("reader.empty") : t("reader.unplugged");
  const picked = target && cards.find((card) => card.tag === ui.picked);
  const label = picked
    ? t("reader.put", { card: choiceName(picked.kind, picked.value) })
    : `${t("reader", { name: pretty(seat.seat) })}: ${here.length ? here.length : words}`;
  return h(
    "div",
    {
      class: `pad ${glows ? "glows" : ""} ${target ? "target" : ""} ${reader.plugged ? "" : "unplugged"}`,
      "data-pad": seat.seat,
      key: "pad",
    },
    h(
      "button",
      { type: "button", class: "plate", "data-put": seat.seat, "aria-label": label, key: "plate" },
      !here.length && h("span", {}, picked ? label : words),
    ),
    h("div", { class: "lies", key: "lies" }, state && here.map((card) => lying(state, seat, card))),
  );
}

function status(state, seat) {
  if (!state?.game) return null;
  const mode = seat.committed ? "committed" : seat.awaited ? "awaited" : "free";
  const open = ["sealed", "locked", "open", "decision"].includes(state.phase);
  return open && mode !== "free" ? h("span", { class: `badge ${mode}` }, t(`seat.${mode}`)) : null;
}

/** Drop a seal whose reader is gone: nobody can lift that card. */
function drop(state, ui, seat) {
  if (state?.phase !== "sealed" || seat.reader !== "lost") return null;
  return seat.characters
    .filter((name) => state.committed.includes(name))
    .map((name) =>
      press(ui, t("command.drop-seal", { name: pretty(name) }), { command: "drop-seal", actor: name }, {
        place: `drop ${name}`,
      }),
    );
}

/**
 * One seat.
 * @param {Object|null} state
 * @param {Object} ui what this page knows beside the state
 * @param {{name: string, seat: string, tags: string[], plugged: boolean}} reader
 */
export function seatPanel(state, ui, reader) {
  const cards = ui.decks[reader.seat] ?? [];
  const seat = state?.seats.find((one) => one.seat === reader.seat) ?? {
    seat: reader.seat, characters: [], reader: "ok", awaited: false, committed: false,
  };
  const told = ui.told[reader.seat];
  const lies = ui.hands[reader.seat]?.lies;
  const players = list(seat.characters);
  return h(
    "article",
    {
      class: "seat",
      key: `seat-${reader.seat}`,
      "data-panel": reader.seat,
      "aria-label": seatName(reader.seat),
    },
    h(
      "header",
      { key: "header" },
      h("h3", {}, sentence(pretty(reader.seat))),
      h("p", {}, players.toLowerCase() === reader.seat ? "" : players),
      status(state, seat),
      seat.reader === "lost" && h("span", { class: "badge lost" }, plug(), t("reader.lost.short")),
    ),
    pad(state, ui, seat, reader, cards),
    h("p", { class: `told ${told?.bad || lies ? "bad" : ""}`, role: "status", key: "told" }, told?.text || (lies ? signalWords(lies) : "")),
    h(
      "div",
      { class: "cable", key: "cable" },
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "data-cable": reader.plugged ? "unplug" : "replug",
          "data-seat": reader.seat,
          key: "cable",
        },
        t(reader.plugged ? "reader.unplug" : "reader.replug"),
      ),
      drop(state, ui, seat),
    ),
    hand(state, ui, seat, cards, reader.tags),
  );
}
