/** The chronicle as a story, one paragraph for each turn, newest first. */

import { h } from "../../core/dom.js";
import { panel } from "../../core/parts.js";
import { clockTime } from "../../core/signals.js";
import { t } from "../../core/texts.js";
import { recapLink } from "./exports.js";
import { isUndoable, lines } from "./sentences.js";

/** @typedef {import("../../core/types").Entry} Entry */

const MOST = 600;
/**
 * The kind of undo for each event.
 * @type {Record<string, import("../../core/types").WayBack["what"]>}
 */
const UNDOES = { undone: "play", "story-undone": "deed", "scene-called-off": "start", "scene-reopened": "end" };

/** The chronicle as the page keeps it. */
export class Chronicle {
  /** @param {number} [most] number of newest entries to keep */
  constructor(most = MOST) {
    this.most = most;
    /** @type {Entry[]} */
    this.entries = [];
  }

  /**
   * Take a frame: the whole chronicle, or its new entries.
   * @param {import("../../core/types").Frames["chronicle"]} frame
   */
  take({ reset, entries }) {
    const known = new Map(reset ? [] : this.entries.map((entry) => [entry.seq, entry]));
    for (const entry of entries) known.set(entry.seq, { ...entry });
    this.entries = [...known.values()].sort((a, b) => a.seq - b.seq).slice(-this.most);
    for (const { seq, event } of this.entries) {
      const what = UNDOES[event.type];
      if (what) this.strike(event.to_seq ?? seq, seq, what);
    }
  }

  /**
   * Mark entries between two records as undone.
   * @param {number} from
   * @param {number} to
   * @param {import("../../core/types").WayBack["what"]} what
   */
  strike(from, to, what) {
    for (const entry of this.entries) {
      if (entry.seq > from && entry.seq < to && isUndoable(entry.event.type, what)) entry.undone = true;
    }
  }
}

/** Events that are a paragraph by themselves. */
const ALONE = ["scene-started", "scene-ended", "story-begun", "story-told", "character-joined", "character-left"];

/** @param {Entry} entry */
const begins = ({ event, begins: starts }) => event.type in UNDOES || ALONE.includes(event.type) || starts;

/**
 * Group entries into paragraphs: a turn, or a single event. Undone entries are kept apart.
 * @param {Entry[]} entries
 */
export function paragraphs(entries) {
  /** @type {Array<{seq: number, at: number, undone: boolean, scene: boolean, alone: boolean, entries: Entry[]}>} */
  const found = [];
  for (const entry of entries) {
    const last = found.at(-1);
    const apart = !last || begins(entry) || last.alone || Boolean(last.undone) !== Boolean(entry.undone);
    const alone = ALONE.includes(entry.event.type);
    if (apart)
      found.push({
        seq: entry.seq,
        at: entry.at_ms,
        undone: Boolean(entry.undone),
        scene: entry.event.type === "scene-started",
        alone,
        entries: [entry],
      });
    else last.entries.push(entry);
  }
  return found.map((each) => ({ ...each, lines: lines(each.entries) })).filter((each) => each.lines.length);
}

/**
 * The log.
 * @param {import("../../core/types").State} state
 * @param {import("../../core/types").Ui} ui
 */
export function logPanel(state, ui) {
  const all = paragraphs(ui.chronicle.entries).reverse();
  /** @param {{lines: string[]}} each */
  const text = (each) => each.lines.join(" ");
  return panel(
    "log",
    t("gm.log"),
    all.length
      ? h(
          "ol",
          { class: "chronicle", reversed: true },
          all.map((each) =>
            h(
              "li",
              { key: `p-${each.seq}`, class: each.scene ? "scene-begins" : "" },
              h("time", {}, clockTime(each.at)),
              each.undone
                ? h("p", {}, h("span", { class: "unseen" }, t("gm.log.struck")), h("del", {}, text(each)))
                : h("p", {}, text(each)),
            ),
          ),
        )
      : h("p", { class: "hint" }, t("gm.log.none")),
    all.length > 0 && recapLink(ui),
  );
}
