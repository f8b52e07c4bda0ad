/**
 * The GM's panels together: their data, tabs and dialogs, and the result of the latest press. Used
 * by the GM's page and the virtual table.
 */

import { Commander, outcomeWords } from "../../core/commands.js";
import { campaign, game } from "../../core/game.js";
import { letUpload, wearing } from "../../core/picture.js";
import { loadReasons } from "../../core/reasons.js";
import { setLanguage, t } from "../../core/texts.js";
import { answered, fillLines, letAct, newUi } from "./act.js";
import { askedPanel } from "./asked.js";
import { deedSheet } from "./deed.js";
import { directed } from "./directed.js";
import { moreSheet, nextStep } from "./dock.js";
import { eveningPanel, timerPanel } from "./evening.js";
import { farewellPanel } from "./farewell.js";
import { handPanel } from "./hand.js";
import { helpPanel, hint, hinting } from "./hints.js";
import { fetchKeys, keysPanel, renewKey } from "./keys.js";
import { Chronicle, logPanel } from "./log.js";
import { overruleSheet } from "./overrule.js";
import { directedPanel, playersPanel, stuckNote } from "./players.js";
import { portraitsPanel } from "./portraits.js";
import { printPanel } from "./print.js";
import { begin, scenePanel } from "./scene.js";
import { makeSheets } from "./sheets.js";
import { soundPanel } from "./sound.js";
import { countdownPanel, stakesPanel } from "./story.js";
import { waitingPanel } from "./waiting.js";
import { wishPanel } from "./wishes.js";

const DONE_MS = 6000;

/** @typedef {import("../../core/types").State} State */
/** @typedef {import("../../core/types").Ui} Ui */

/**
 * The panels of each tab.
 * @type {Record<string, (state: State, ui: Ui) => import("../../core/types").Part>}
 */
export const TABS = {
  now: (state, ui) => [
    stuckNote(state, ui),
    !ui.wide && nextStep(state, ui),
    state.game && game().outcome?.(state),
    askedPanel(state, ui, false),
    handPanel(state, ui, ui.console.gm_seat ?? "gm"),
    askedPanel(state, ui, true),
    wishPanel(state, ui),
    state.phase === "idle" && !directed(state, ui) && campaign().between(state, ui),
    state.phase === "idle" &&
      !directed(state, ui) &&
      !(ui.wide && ["now", "scene"].includes(ui.tab)) &&
      begin(state, ui),
    farewellPanel(state, ui),
    waitingPanel(state, ui),
  ],
  scene: (state, ui) =>
    directed(state, ui) ? [directedPanel(state, ui)] : [scenePanel(state, ui), ...campaign().scenePanels(state, ui)],
  story: (state, ui) => [...campaign().storyPanels(state, ui), countdownPanel(state, ui), stakesPanel(state, ui)],
  log: logPanel,
  keys: (state, ui) => [
    keysPanel(state, ui),
    eveningPanel(state, ui),
    timerPanel(state, ui),
    soundPanel(ui),
    playersPanel(state, ui),
    portraitsPanel(state, ui),
    printPanel(state),
    helpPanel(),
  ],
};

/**
 * A tab's content with its first-run hint; during a scene the questions come before the hint.
 * @param {string} name
 * @param {State} state
 * @param {Ui} ui
 */
export function inside(name, state, ui) {
  const panels = TABS[name]?.(state, ui);
  if (name === "scene" && directed(state, ui)) return panels;
  return name === "now" && state.phase !== "idle" ? [panels, hint(name)] : [hint(name), panels];
}

/**
 * The available tabs. A wide screen needs no `now` tab; `story` needs a story that the GM directs.
 * @param {State|null} state
 * @param {Ui} ui
 */
export const tabsOf = (state, ui) =>
  Object.keys(TABS).filter(
    (name) => !(ui.wide && name === "now") && (name !== "story" || (state?.story && !directed(state, ui))),
  );

/**
 * Omit questions to the hub, which answers them soon, unless it is stuck.
 * @param {State} state
 * @param {Ui} ui
 * @param {Ui["questions"]} asked
 */
const forPeople = ({ hub_plays: hub }, { console }, asked) =>
  asked.filter(({ actor }) => !hub.includes(actor) || console.stuck.includes(actor));

export class Panels {
  /**
   * @param {HTMLElement} place element that receives presses
   * @param {() => void} render draws the page
   * @param {(message: Record<string, unknown>) => boolean} send returns whether the message was
   *   sent
   * @param {Element} [over] element for dialogs, with the class `gm`
   */
  constructor(place, render, send, over = place) {
    this.render = render;
    this.send = send;
    this.place = place;
    /** @type {State|null} */
    this.state = null;
    /** The newest outcome that was reported. @type {import("../../core/types").Outcome|null} */
    this.heard = null;
    this.fades = 0;
    const commander = new Commander({ send }, { onChange: () => this.onOutcome() });
    this.ui = newUi({
      chronicle: new Chronicle(),
      commander,
      pending: (/** @type {string} */ where) => commander.pending(where),
      redraw: render,
    });
    this.drawSheet = makeSheets(over, this.ui, { undo: moreSheet, overrule: overruleSheet, deed: deedSheet }, render);
    letUpload(place, {
      ui: this.ui,
      render,
      say: (words) => (this.ui.note = words),
      take: (name, digest) =>
        this.state && commander.press(wearing(this.state, name, digest), `portray ${name} picture`),
    });
    letAct(place, {
      ui: this.ui,
      state: () => this.state,
      render,
      doing: this.doing(),
      onTab: (tab) => tab === "keys" && fetchKeys(this.ui).then(render),
    });
  }

  doing() {
    const { ui, render } = this;
    return {
      "by-other": () => (ui.byOther = !ui.byOther),
      "ask-renew": (/** @type {string} */ seat) => (ui.sure = `key ${seat}`),
      renew: (/** @type {string} */ seat) => {
        ui.sure = null;
        renewKey(ui, seat).then(render);
      },
      volume: (/** @type {string} */ by) =>
        this.turnTo({ volume: Math.min(100, Math.max(0, ui.sound.volume + Number(by))), muted: false }),
      mute: (/** @type {string} */ muted) => this.turnTo({ volume: ui.sound.volume, muted: muted === "true" }),
      ...hinting,
      language: (/** @type {string} */ code) => setLanguage(code).then(loadReasons).then(render),
    };
  }

  /**
   * Ask for another volume. This is no command: sending it twice does no harm.
   * @param {{volume: number, muted: boolean}} loud
   */
  turnTo(loud) {
    const { ui } = this;
    ui.note = this.send({ do: "sound", id: "sound", ...loud }) ? "" : t("reply.unsent");
  }

  /**
   * Take a frame of the stream, except the state.
   * @param {import("../../core/types").Frame} frame
   */
  take(frame) {
    const { ui } = this;
    if (frame.type === "event" && frame.line.type === "withdrawn") ui.besides.withdrawn(frame.line.actor);
    else if (frame.type === "questions") ui.asked = frame.questions;
    else if (frame.type === "deeds") Object.assign(ui, { deeds: frame.deeds, cast: frame.cast });
    else if (frame.type === "console") ui.console = frame;
    else if (frame.type === "hand") ui.hands[frame.seat] = frame;
    else if (frame.type === "preview") ui.commander.onPreview(frame);
    else if (frame.type === "beginning") ui.beginning = frame.beginning;
    else if (frame.type === "chronicle") ui.chronicle.take(frame);
    else if (frame.type === "sound") ui.sound = frame;
    else if (frame.type === "where" && ui.keys) fetchKeys(ui).then(this.render);
    else if (frame.type === "reply") ui.commander.onReply(frame);
  }

  /** Update the questions as the current family puts them. Call it after a new state or frame. */
  ask() {
    const { ui, state } = this;
    ui.questions = state ? forPeople(state, ui, game().asks(state, ui, ui.asked)) : ui.asked;
  }

  /** The hub's explanations of the cards in sight. */
  means() {
    const { hands, console: own } = this.ui;
    const actors = [...Object.values(hands).flatMap((hand) => hand.actors), ...own.plays_for];
    return Object.assign({}, ...actors.map((/** @type {import("../../core/types").Actor} */ { means }) => means));
  }

  /**
   * Handle the connection's status.
   * @param {import("../../core/types").Status} status
   * @param {number} [code]
   */
  onStatus(status, code) {
    if (status !== "open") {
      this.ui.besides.clear();
      this.ui.beginningOf = null;
    }
    this.ui.commander.onStatus(status, code);
  }

  /** The result of the latest press, in words. */
  told() {
    const { note, commander } = this.ui;
    if (note) return { text: note, bad: true };
    if (commander.unanswered.size) return { text: t("gm.on-its-way"), bad: false };
    return { text: outcomeWords(commander.outcome), bad: Boolean(commander.outcome) && !commander.outcome.ok };
  }

  /**
   * After a drawing: update the open dialog and the text lines. A successful command has closed its
   * own dialog and is not reported in another.
   */
  drawn() {
    const { note, commander } = this.ui;
    const isDone = !note && !commander.unanswered.size && commander.outcome?.ok;
    this.drawSheet(this.state, isDone ? "" : this.told().text);
    fillLines(this.place, this.ui);
  }

  /**
   * Handle news of the commander. A success is shown for a while, and closes the dialog of its
   * press.
   */
  onOutcome() {
    const { ui, render } = this;
    const { outcome } = ui.commander;
    if (outcome && outcome !== this.heard) {
      answered(ui);
      ui.besides.answered(outcome, ui.commander.version);
      ui.note = "";
      clearTimeout(this.fades);
      if (outcome.ok) {
        if (ui.sheet?.pressed === outcome.place) ui.sheet = null;
        ui.done = { since: outcome.since, seq: outcome.seq };
        if (outcome.place.startsWith("commit ")) ui.picked = null;
        if (outcome.place.startsWith("start ")) ui.tab = "now";
        this.fades = setTimeout(() => {
          if (ui.commander.outcome === outcome) ui.commander.outcome = null;
          render();
        }, DONE_MS);
      }
    }
    this.heard = outcome;
    render();
  }
}
