/**
 * Checks that do not rely on trust in the hub. This page keeps the digests of the seat's seals,
 * compares them with the cards revealed, and notes how far the table's log had come. The browser
 * keeps this over a reload, without any card.
 */

import { sealDigest } from "../../core/digest.js";
import { h } from "../../core/dom.js";
import { ask } from "../../core/explain.js";
import { short } from "../../core/short.js";
import { pretty, t } from "../../core/texts.js";

const MOST = 40;

/** @typedef {import("../../core/types").Line} Line */
/**
 * The log line of a seal; it is doubted once messages were missed.
 * @typedef {(import("../../core/wire").Committed|import("../../core/wire").SetBeside) & {doubted?: boolean}} Seal
 */

/**
 * Stored data; empty if it cannot be read.
 * @param {string} name
 */
function storedAs(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

export class Kept {
  /** @param {string} seat */
  constructor(seat) {
    this.name = `facedown.kept.${seat}`;
    this.seat = seat;
    /**
     * The checks of the last seals.
     * @type {Array<{actor: string, digest: string, sound: boolean}>}
     */
    this.found = [];
    this.shorter = false;
    /** @type {{log: string, seq: number, head: string, seals: Seal[]}} */
    this.stored = { log: "", seq: 0, head: "", seals: [], ...storedAs(this.name) };
    this.heard = this.stored.seq;
  }

  /**
   * Check that the log still contains what was told before.
   * @param {{log: string, seq: number, head: string}} state
   */
  onState({ log, seq, head }) {
    const had = this.stored;
    if (seq !== this.heard) this.doubt();
    this.heard = seq;
    if (log !== had.log) this.stored = { log, seq, head, seals: [] };
    else if (seq < had.seq || (seq === had.seq && head !== had.head)) this.shorter = true;
    if (log !== had.log || seq >= had.seq) Object.assign(this.stored, { seq, head });
    this.save();
  }

  /**
   * Handle a line of the log.
   * @param {Line} line
   * @param {{log: string, table: string}} where
   * @param {Map<string, string>} own character → card sealed from this page
   */
  onLine(line, where, own) {
    if (line.seq !== this.heard + 1) this.doubt();
    this.heard = line.seq;
    const mine = line.seat === this.seat;
    const { stored } = this;
    if ((line.type === "committed" || line.type === "set-beside") && mine) {
      if (line.type === "committed") this.found = [];
      stored.seals = [...stored.seals, line].slice(-MOST);
    } else if (line.type === "withdrawn") this.drop((seal) => seal.digest === line.digest);
    else if (["taken-back", "seal-dropped"].includes(line.type)) {
      this.drop((seal) => seal.type === "committed" && seal.actor === line.actor);
    } else if (line.type === "revealed") this.hold(line, where, own);
    else if (["undone", "scene-ended", "scene-started", "scene-called-off", "scene-reopened"].includes(line.type))
      this.drop(() => true);
    else return;
    this.save();
  }

  /** Messages were missed: a seal may have been taken back and replaced. */
  doubt() {
    this.stored.seals = this.stored.seals.map((seal) => ({ ...seal, doubted: true }));
  }

  /** @param {(seal: Seal) => boolean} which */
  drop(which) {
    this.stored.seals = this.stored.seals.filter((seal) => !which(seal));
  }

  /**
   * Compare revealed cards with the kept seals.
   * @param {import("../../core/wire").Revealed} line
   * @param {{log: string, table: string}} where
   * @param {Map<string, string>} own
   */
  hold(line, where, own) {
    const last = this.stored.seals.filter((seal) => seal.phase === line.phase);
    this.found = last.flatMap((seal) => {
      const beside = seal.type === "set-beside";
      const shown = beside ? (line.beside[seal.actor] ?? []) : [line.openings[seal.actor] ?? []].flat();
      const opening = shown.find((one) => sealDigest(where, seal, one) === seal.digest);
      const other = !beside && own.has(seal.actor) && own.get(seal.actor) !== opening?.choice;
      if (seal.doubted && !opening) return [];
      return [{ actor: seal.actor, digest: seal.digest, sound: Boolean(opening) && !other }];
    });
    this.drop(() => true);
  }

  save() {
    try {
      localStorage.setItem(this.name, JSON.stringify(this.stored));
    } catch {
      // Without storage everything is kept until the page is closed.
    }
  }

  /** The alarm above everything else, if a check failed. */
  alarm() {
    const broken = this.found.filter((one) => !one.sound);
    const said = broken.map((one) => t("log.broken", { who: pretty(one.actor), digest: short(one.digest) }));
    if (this.shorter) said.push(t("log.shorter"));
    return (
      said.length > 0 &&
      h("p", { class: "own-danger", role: "alert", key: "kept-alarm" }, said.join(" "), " ", ask("log"))
    );
  }

  /**
   * The log's head, the current seals, and the results of the last ones.
   * @param {{head: string}|null} state
   */
  note(state) {
    if (!state?.head) return null;
    const lie = this.stored.seals.map((seal) => t("log.seal", { digest: short(seal.digest) }));
    const sound = this.found.filter((one) => one.sound).map(() => t("log.kept"));
    const said = [...new Set(sound), t("log.head", { head: short(state.head) }), ...lie];
    return h(
      "p",
      { class: "own-log", key: "log" },
      said.map((text, at) => h("span", { key: `${at}` }, text)),
      ask("log"),
    );
  }
}
