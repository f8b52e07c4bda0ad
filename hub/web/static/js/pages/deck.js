/**
 * The console's page of cards: the set being written, the reader in use, and the next card to lay.
 */

import { GAMES } from "#games";
import { sayAloud } from "../core/aloud.js";
import { h, morph, nearest, pageRoot } from "../core/dom.js";
import { absent, cardOf, fetchGames } from "../core/game.js";
import { dressSoon } from "../core/later.js";
import { faceUpCard } from "../core/lying.js";
import { turn } from "../core/parts.js";
import { inWords, loadReasons } from "../core/reasons.js";
import { loadTexts, pretty, seatName, sentence, stopped, t } from "../core/texts.js";

/**
 * @typedef {{kind: string, value: string, label: string}} Named
 * @typedef {Named & {end: Named|null, copies: number, written: number}} Copies `end`: the meaning
 *   of its other end
 * @typedef {{set: string, cards: Copies[]}} CardSet
 * @typedef {Object} Session
 * @property {string} seat
 * @property {string} set
 * @property {boolean} simulated
 * @property {boolean} locks
 * @property {boolean} guards
 * @property {string} stage
 * @property {Named|null} card
 * @property {Named|null} other
 * @property {string} bar
 * @property {boolean} then whether the card's other end is to be laid next
 * @property {boolean} half whether the card has two ends and one is still to be written
 * @property {number} done
 * @property {number} total
 * @typedef {Object} Picture
 * @property {number} turn
 * @property {boolean} idle
 * @property {{reason: string, why: import("../core/reasons.js").Reason}|null} fault
 * @property {CardSet[]} sets
 * @property {{seat: string, simulated: boolean}[]} seats
 * @property {Session|null} session
 */

const AGAIN_MS = 2000;
/** How often a request may be refused before the page reloads to ask for a key. */
const MOST_SHUT = 2;
const NONE_YET = 0;
/** Stages in which the tag on the reader is finished. */
const GOOD = ["written", "found", "learnt", "done"];

const root = pageRoot();
/** @type {Picture|null} */
let picture = null;
let gone = false;
/** The selected set and seat. @type {{set: string|null, seat: string|null}} */
const chosen = { set: null, seat: null };
/** What to do with each tag. */
const PLAIN = { overwrite: false, lock: false, password: "" };
const finish = { ...PLAIN };
/**
 * An order with a permanent effect that awaits its confirmation.
 * @type {Record<string, unknown>|null}
 */
let unsure = null;

/** @param {Named} card */
function nameOf({ kind, value, label }) {
  if (kind === "blank") return t("deck.blank");
  const { name } = cardOf(kind, value);
  return name === value ? label : name;
}

/** A card with two ends is named by both. @param {Copies} card */
const wholeName = (card) => (card.end ? `${nameOf(card)} / ${nameOf(card.end)}` : nameOf(card));

/** @param {string} set */
const setName = (set) => (set ? sentence(pretty(set)) : t("deck.shared"));

/** @param {CardSet} set */
function counted({ cards }) {
  const total = cards.reduce((sum, { copies }) => sum + copies, 0);
  const done = cards.reduce((sum, { written }) => sum + written, 0);
  return { total, done };
}

/** @param {number} done @param {number} total */
const bar = (done, total) =>
  h("progress", {
    key: "bar",
    max: Math.max(1, total),
    value: done,
    "aria-label": t("deck.progress", { done, total }),
  });

/** @param {Picture} now */
function choosing(now) {
  const set = now.sets.find((each) => each.set === chosen.set) ?? now.sets[0];
  const seat =
    now.seats.find((each) => each.seat === chosen.seat) ??
    now.seats.find((each) => each.seat === set?.set) ??
    now.seats[0];
  if (!set || !seat) return h("p", { class: "hint", key: "none" }, t("deck.none"));
  const { done, total } = counted(set);
  const why = now.idle ? "" : t("deck.scene");
  const place = { do: "begin", seat: seat.seat, set: set.set };
  if (unsure) return sure();
  return [
    h("p", { class: "hint", key: "how" }, t("deck.how")),
    h(
      "section",
      { key: "whose" },
      h("h2", {}, t("deck.whose")),
      h(
        "div",
        { class: "row", role: "group", "aria-label": t("deck.whose") },
        now.sets.map((each) => option("set", each.set, setName(each.set), progress(each), each === set)),
      ),
    ),
    h(
      "section",
      { key: "where" },
      h("h2", {}, t("deck.where")),
      h(
        "div",
        { class: "row", role: "group", "aria-label": t("deck.where") },
        now.seats.map((each) =>
          option("seat", each.seat, seatName(each.seat), each.simulated ? t("deck.simulated") : "", each === seat),
        ),
      ),
    ),
    finishing(),
    h(
      "div",
      { class: "row begin", key: "begin" },
      turn(h("b", {}, t("deck.write")), place, {
        kind: "offer default",
        why: why || (done === total ? t("deck.all") : ""),
        key: "write",
      }),
      turn(
        t("deck.learn"),
        { ...place, learn: 1 },
        { why: why || (done === total ? t("deck.all") : ""), hush: true, key: "learn" },
      ),
    ),
    bar(done, total),
    h(
      "details",
      { key: `list ${set.set}` },
      h("summary", {}, t("deck.list")),
      h(
        "ul",
        { class: "cards" },
        set.cards.map((card) => line(card, set.set, seat.seat, why)),
      ),
    ),
  ];
}

/** Options for each tag, collapsed because they are rarely needed. */
const finishing = () =>
  h(
    "details",
    { key: "finish", class: "finish" },
    h("summary", {}, t("deck.finish")),
    h(
      "form",
      {},
      tick("overwrite"),
      tick("lock"),
      h(
        "label",
        { class: "tick" },
        h(
          "span",
          {},
          h("b", {}, t("deck.guard")),
          h("small", {}, t("deck.guard.more")),
          h("input", { type: "password", autocomplete: "off", maxlength: 200, "data-finish": "password" }),
        ),
      ),
    ),
  );

/** @param {"overwrite"|"lock"} what */
const tick = (what) =>
  h(
    "label",
    { class: "tick", key: what },
    h("input", { type: "checkbox", "data-finish": what }),
    h("span", {}, h("b", {}, t(`deck.${what}`)), h("small", {}, t(`deck.${what}.more`))),
  );

/** Asks for confirmation of a permanent effect. */
const sure = () =>
  h(
    "section",
    { key: "sure", class: "bench bad" },
    h("h2", { tabindex: "-1" }, t("deck.sure")),
    finish.lock && h("p", {}, t("deck.sure.lock")),
    finish.password && h("p", {}, t("deck.sure.guard")),
    h(
      "div",
      { class: "row" },
      turn(t("deck.sure.no"), { do: "unsure" }, { kind: "offer", key: "no" }),
      turn(h("b", {}, t("deck.sure.yes")), { do: "sure" }, { kind: "offer danger", key: "yes" }),
    ),
  );

/** @param {CardSet} set */
function progress(set) {
  const { done, total } = counted(set);
  return done === total ? t("deck.all") : t("deck.progress", { done, total });
}

/**
 * @param {"set"|"seat"} what
 * @param {string} value
 * @param {string} name
 * @param {string} more
 * @param {boolean} pressed
 */
const option = (what, value, name, more, pressed) =>
  h(
    "button",
    {
      type: "button",
      class: "offer",
      key: `${what} ${value}`,
      "data-choose": what,
      "data-value": value,
      "aria-pressed": String(pressed),
    },
    h("b", {}, name),
    more && h("small", {}, more),
  );

/**
 * @param {Copies} card
 * @param {string} set
 * @param {string} seat
 * @param {string} why
 */
function line(card, set, seat, why) {
  const choice = `${card.kind} ${card.value}`.trim();
  return h(
    "li",
    { key: choice, class: card.written === card.copies ? "done" : "" },
    h("span", { class: "what" }, wholeName(card), card.copies > 1 && ` × ${card.copies}`),
    h(
      "span",
      { class: "so" },
      card.written === card.copies ? "✓" : t("deck.progress", { done: card.written, total: card.copies }),
    ),
    turn(
      t("deck.again"),
      { do: "begin", seat, set, card: choice },
      { why, hush: true, key: `again ${choice}`, name: `${t("deck.again")}: ${wholeName(card)}` },
    ),
  );
}

/** The stage of a session in words. @param {Session} session */
function said({ stage, bar: why, card, other, seat, then, half }) {
  const more = stage === "lay" && then ? ".then" : stage === "written" && half ? ".half" : "";
  if (stage === "refused") return t(`deck.bar.${why}`, { other: other ? nameOf(other) : "" });
  return t(`deck.stage.${stage}${more}`, { card: card ? nameOf(card) : "", seat: pretty(seat) });
}

/** @param {Session} session */
function writing(session) {
  const { stage, card, done, total } = session;
  const lays = ["lay", "torn"].includes(stage);
  return h(
    "section",
    {
      class: `bench ${GOOD.includes(stage) ? "good" : stage === "refused" || stage === "swapped" ? "bad" : ""}`,
      key: "bench",
    },
    h("p", { class: "eyebrow", key: "where" }, `${setName(session.set)} · ${seatName(session.seat)}`),
    card &&
      h(
        "div",
        { class: "shown", key: `card ${card.kind} ${card.value}` },
        card.kind === "blank" ? h("div", { class: "card empty" }) : faceUpCard(card.kind, card.value),
      ),
    h("h2", { key: "said", class: "said" }, said(session)),
    bar(done, total),
    h("p", { class: "hint", key: "count" }, t("deck.progress", { done, total })),
    (session.locks || session.guards) &&
      h(
        "p",
        { class: "final", key: "final" },
        [session.locks && t("deck.locks"), session.guards && t("deck.guards")].filter(Boolean).join(" "),
      ),
    h(
      "div",
      { class: "row", key: "do" },
      session.simulated && turn(h("b", {}, t("deck.lay.empty")), { do: "lay" }, { kind: "offer default", key: "lay" }),
      session.simulated && turn(t("deck.lift"), { do: "lift" }, { key: "lift" }),
      lays && turn(t("deck.later"), { do: "skip" }, { key: "skip" }),
      turn(t("deck.stop"), { do: "end" }, { key: "end" }),
    ),
  );
}

/** @param {NonNullable<Picture["fault"]>} fault */
const faultSaid = ({ reason, why }) => stopped(sentence(inWords(why) ?? reason));

function draw() {
  const now = picture;
  const fault = gone ? t("deck.gone") : now?.fault && !now.session ? faultSaid(now.fault) : "";
  morph(
    root,
    h(
      "div",
      {},
      h(
        "header",
        { key: "top" },
        h("p", { class: "eyebrow" }, h("a", { href: "/gm" }, t("deck.back"))),
        h("h1", {}, t("deck.title")),
      ),
      h(
        "main",
        { key: "main" },
        fault && h("p", { class: "fault", role: "alert", key: "fault" }, fault),
        now && (now.session ? writing(now.session) : choosing(now)),
      ),
    ),
  );
  if (now?.session) sayAloud(said(now.session));
}

/** @param {Picture} next */
function take(next) {
  const ended = picture?.session && !next.session;
  const begun = !picture?.session && next.session;
  picture = next;
  draw();
  if (begun || ended) root.querySelector("h2")?.scrollIntoView({ block: "center" });
  if ((begun || ended) && !document.activeElement?.isConnected) root.querySelector("button")?.focus();
  if (begun) Object.assign(finish, PLAIN);
}

/** Long-poll for changes; the hub answers when there are any. */
async function watch() {
  let shut = 0;
  for (;;) {
    try {
      const answer = await fetch(`/gm/cards/${picture?.turn ?? NONE_YET}`, { cache: "no-store" });
      // While another tab is let in, this one's cookie may be outdated for a moment.
      shut = answer.status === 401 ? shut + 1 : 0;
      if (shut > MOST_SHUT) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      gone = false;
      take(await answer.json());
    } catch {
      gone = true;
      draw();
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      picture = picture && { ...picture, turn: NONE_YET };
    }
  }
}

/** @param {Record<string, unknown>} asked */
async function ask(asked) {
  try {
    const answer = await fetch("/gm/cards", { method: "POST", body: JSON.stringify(asked), cache: "no-store" });
    if (answer.ok) take(await answer.json());
  } catch {
    gone = true;
    draw();
  }
}

/** @param {Record<string, unknown>|null} order the order to confirm; null cancels it */
function askAgain(order) {
  unsure = order;
  if (!order) Object.assign(finish, PLAIN);
  draw();
  /** @type {HTMLElement|null} */ (root.querySelector(order ? ".bench h2" : ".begin button"))?.focus();
}

/** @param {DOMStringMap} pressed */
function begin({ seat, set, card, learn }) {
  const order = { do: "begin", seat, set, ...(card && { card }), ...(learn ? { learn: true } : finish) };
  if (!learn && (finish.lock || finish.password)) askAgain({ ...order, final: true });
  else ask(order);
}

root.addEventListener("click", (event) => {
  const button = nearest(event, "button");
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const { choose, value = "", do: what } = button.dataset;
  if (choose === "set" || choose === "seat") {
    chosen[choose] = value;
    draw();
  } else if (what === "begin") begin(button.dataset);
  else if (what === "unsure") askAgain(null);
  else if (what === "sure") {
    const order = unsure;
    unsure = null;
    if (order) ask(order);
  } else if (what) ask({ do: what });
});
root.addEventListener("submit", (event) => event.preventDefault());
root.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const what = target.dataset.finish;
  if (what === "password") finish.password = target.value;
  else if (what === "lock" || what === "overwrite") finish[what] = target.checked;
});

await loadTexts();
document.title = `Facedown: ${t("deck.title")}`;
await Promise.all([loadReasons(), fetchGames(GAMES, absent(GAMES), ["stage"])]);
watch();
dressSoon();
