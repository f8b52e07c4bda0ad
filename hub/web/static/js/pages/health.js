/** The console's page *Table*: the hub's health in words, refreshed while the page is visible. */

import { h, morph, pageRoot } from "../core/dom.js";
import { dressSoon } from "../core/later.js";
import { language, loadTexts, seatName, t } from "../core/texts.js";

/** @typedef {import("../core/wire").Health} Health */

const AGAIN_MS = 2000;
const UNAUTHORIZED = 401;
const [HALF, NEARLY_ALL] = [0.5, 0.99];
/** From these numbers on the cable should be checked. */
const [MANY_LOSSES, MANY_DISTURBANCES] = [3, 10];

const root = pageRoot();
/** @type {Health|null} */
let health = null;
let gone = false;

/**
 * The time within which this share had finished.
 * @param {Health["journal"]} times
 * @param {number} share
 */
function within({ count, upto }, share) {
  const found = upto.find((each) => each.count >= Math.ceil(count * share));
  const [last] = upto.slice(-1);
  return found ? t("health.within", { ms: found.ms }) : t("health.longer", { ms: last?.ms ?? 0 });
}

/** @param {Health["journal"]} times */
function spread(times) {
  if (!times.count) return t("health.not-yet");
  const [half, most] = [within(times, HALF), within(times, NEARLY_ALL)];
  return half === most ? t("health.spread.same", { most }) : t("health.spread", { half, most });
}

/** @param {number} count */
const times = (count) => (count ? t("health.times", { count }) : t("health.never"));

/** @param {string} name @param {string} said */
const line = (name, said) => h("tr", { key: name }, h("th", { scope: "row" }, t(name)), h("td", {}, said));

/** @param {Health} now */
function verdict({ stalled, readers, broker, companions = {}, panel_missing: missing = [] }) {
  const lost = Object.keys(readers).filter((seat) => readers[seat]?.state === "lost");
  const said = [
    stalled && t("health.stalled"),
    lost.length > 0 && t("health.lost", { seats: lost.map(seatName).join(", ") }),
    broker && !broker.connected && t("health.no-broker"),
    broker && !broker.connected && broker.reason && t("health.broker-why", { reason: broker.reason }),
    broker?.hindrance === "broker-denies" && t("health.broker-says", { reason: broker.reason }),
    ...Object.entries(companions).map(([name, { reason }]) => reason && t("health.companion", { name, reason })),
    missing.length > 0 && t("health.panel", { pins: missing.join(", ") }),
  ].filter(Boolean);
  return h(
    "p",
    { class: `verdict ${said.length ? "bad" : ""}`, role: "status", key: "verdict" },
    said.length ? said.join(" ") : t("health.well"),
  );
}

/** @param {Health} now */
function readersTable({ readers }) {
  const column = (/** @type {string} */ name) => h("th", { scope: "col", key: name }, t(`health.reader.${name}`));
  const rows = Object.entries(readers).map(([seat, { state, losses, disturbances }]) =>
    h(
      "tr",
      { key: seat, class: state === "lost" ? "bad" : "" },
      h("th", { scope: "row" }, seatName(seat)),
      h("td", { class: "state" }, t(`health.state.${state}`)),
      h("td", {}, times(losses)),
      h("td", {}, times(disturbances)),
    ),
  );
  const shaky = Object.values(readers).some(
    (each) => each.losses >= MANY_LOSSES || each.disturbances >= MANY_DISTURBANCES,
  );
  return h(
    "section",
    { key: "readers" },
    h(
      "table",
      { class: "readers" },
      h("caption", {}, h("h2", {}, t("health.readers"))),
      h("thead", {}, h("tr", {}, ["seat", "state", "losses", "disturbances"].map(column))),
      h("tbody", {}, rows),
    ),
    shaky && h("p", { class: "hint" }, t("health.shaky")),
  );
}

/** @param {Health} now */
function counted(now) {
  const { broker } = now;
  const lost = broker ? broker.connections - Number(broker.connected) : 0;
  return h(
    "section",
    { key: "counted" },
    h(
      "table",
      {},
      h(
        "caption",
        {},
        h(
          "h2",
          {},
          t("health.since", {
            time: new Date(now.started_at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" }),
          }),
        ),
      ),
      h(
        "tbody",
        {},
        line("health.commits", String(now.commits)),
        line("health.reveals", String(now.reveals)),
        line("health.reveal", spread(now.reveal)),
        line("health.journal", spread(now.journal)),
        line(
          "health.broker",
          broker ? t(broker.connected ? "health.connected" : "health.cut", { lost: times(lost) }) : t("health.none"),
        ),
        line("health.records", String(now.records)),
        line("health.version", `Facedown ${now.version}`),
      ),
    ),
    h("p", { class: "hint" }, t("health.secret")),
  );
}

function draw() {
  const now = health;
  morph(
    root,
    h(
      "div",
      {},
      h(
        "header",
        { key: "top" },
        h("p", { class: "eyebrow" }, h("a", { href: "/gm" }, t("deck.back"))),
        h("h1", {}, t("health.title")),
      ),
      h(
        "main",
        { key: "main" },
        gone ? h("p", { class: "verdict bad", role: "alert", key: "gone" }, t("health.gone")) : now && verdict(now),
        now && readersTable(now),
        now && counted(now),
      ),
    ),
  );
}

async function ask() {
  try {
    const answer = await fetch("/gm/table/now", { cache: "no-store" });
    if (answer.status === UNAUTHORIZED) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    health = await answer.json();
    gone = false;
  } catch {
    gone = true;
  }
  draw();
}

await loadTexts();
document.title = `Facedown: ${t("health.title")}`;
await ask();
setInterval(() => document.hidden || ask(), AGAIN_MS);
document.addEventListener("visibilitychange", () => document.hidden || ask());
dressSoon();
