// @ts-nocheck
/** The chronicle: a story, a paragraph for each turn, the newest first. */

import { h } from "../../core/dom.js";
import { t } from "../../core/texts.js";
import { panel } from "../../core/parts.js";
import { isUndoable, lines } from "./sentences.js";

const MOST = 600;
/** What each event takes back. */
const UNDOES = { undone: "play", "story-undone": "deed", "scene-called-off": "start", "scene-reopened": "end" };

/** The chronicle as the page keeps it. */
export class Chronicle {
  constructor() {
    this.entries = [];
  }

  /** Take a frame: everything anew, or what has come since. */
  take({ reset, entries }) {
    const known = new Map(reset ? [] : this.entries.map((entry) => [entry.seq, entry]));
    for (const entry of entries) known.set(entry.seq, { ...entry });
    this.entries = [...known.values()].sort((a, b) => a.seq - b.seq).slice(-MOST);
    for (const { seq, event } of this.entries) if (event.type in UNDOES) this.strike(event.to_seq ?? seq, seq, UNDOES[event.type]);
  }

  /** What stood between these two was undone. */
  strike(from, to, what) {
    for (const entry of this.entries) {
      if (entry.seq > from && entry.seq < to && isUndoable(entry.event.type, what)) entry.undone = true;
    }
  }
}

/** What is a paragraph by itself. */
const ALONE = ["scene-started", "scene-ended", "story-begun", "story-told", "character-joined", "character-left"];

const begins = ({ event }) =>
  event.type in UNDOES ||
  ALONE.includes(event.type) ||
  (event.type === "decided" && /^(active|agreed) /.test(event.choice));

/** Entries that belong together: a turn, or something by itself. What was undone stands apart. */
function paragraphs(entries) {
  const found = [];
  for (const entry of entries) {
    const last = found.at(-1);
    const apart = !last || begins(entry) || last.alone || Boolean(last.undone) !== Boolean(entry.undone);
    const alone = ALONE.includes(entry.event.type);
    if (apart) found.push({ seq: entry.seq, at: entry.at_ms, undone: entry.undone, scene: entry.event.type === "scene-started", alone, entries: [entry] });
    else last.entries.push(entry);
  }
  return found.map((each) => ({ ...each, lines: lines(each.entries) })).filter((each) => each.lines.length);
}

const clockTime = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The log. */
export function logPanel(state, ui) {
  const all = paragraphs(ui.chronicle.entries).reverse();
  const text = (each) => each.lines.join(" ");
  return panel(
    "log",
    t("gm.log"),
    all.length
      ? h("ol", { class: "chronicle", reversed: true }, all.map((each) =>
          h("li", { key: `p-${each.seq}`, class: each.scene ? "scene-begins" : "" },
            h("time", {}, clockTime(each.at)),
            each.undone
              ? h("p", {}, h("span", { class: "unseen" }, t("gm.log.struck")), h("del", {}, text(each)))
              : h("p", {}, text(each)))))
      : h("p", { class: "hint" }, t("gm.log.none")),
  );
}
