/** The book of an evening: events, highlights, and each seal with its check. */

import { partsOf } from "../../core/cards.js";
import { h } from "../../core/dom.js";
import { cardOf, enter, gameOf } from "../../core/game.js";
import { prompt } from "../../core/prompt.js";
import { readState } from "../../core/state.js";
import { language, languages, pretty, t } from "../../core/texts.js";
import { Chronicle, paragraphs } from "../gm/log.js";

/** @typedef {import("../../core/types").RecapData} RecapData */
/** @typedef {import("../../core/types").RecapScene} RecapScene */
/** @typedef {import("../../core/types").RecapSeal} RecapSeal */
/** @typedef {import("../../core/types").StateFrame} StateFrame */
/** @typedef {import("./seals.js").Seals} Seals */

const SHORT = 16;

/** @param {number} at @param {Intl.DateTimeFormatOptions} how */
const date = (at, how) => new Date(at).toLocaleString(language(), how);
/** @param {number} at */
const day = (at) => date(at, { dateStyle: "full" });
/** @param {number} at */
const time = (at) => date(at, { timeStyle: "short" });

/**
 * The whole book.
 * @param {RecapData} recap
 * @param {StateFrame[][]} frames of each scene
 * @param {Seals} seals
 */
export function book(recap, frames, seals) {
  const first = recap.scenes[0];
  return [
    h(
      "header",
      { class: "book-head", key: "head" },
      h("p", { class: "eyebrow" }, "Facedown"),
      h("h1", {}, recap.evening || pretty(recap.table)),
      first && h("p", {}, day(first.began_ms)),
      recap.left_out > 0 && h("p", { class: "hint", key: "left-out" }, t("recap.left-out", { count: recap.left_out })),
      !first && h("p", { key: "nothing" }, t("recap.nothing")),
      languages().length > 1 && tongues(),
    ),
    highlights(recap, frames),
    recap.scenes.map((scene, at) => sceneOf(scene, frames[at], seals)),
    checks(recap, seals),
  ];
}

function tongues() {
  /** @param {string} code */
  const name = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code);
  const options = languages().map((code) =>
    h("option", { value: code, key: code, lang: code, selected: code === language() }, name(code)),
  );
  return h(
    "p",
    { class: "tongues", key: "tongues" },
    h("label", {}, t("own.language"), " ", h("select", { "data-language": true }, options)),
  );
}

/**
 * The highlights, by family.
 * @param {RecapData} recap
 * @param {StateFrame[][]} frames
 */
function highlights(recap, frames) {
  const all = recap.scenes.flatMap((scene, at) => outcomesOf(scene, frames[at]));
  const families = new Set(all.map(({ state }) => gameOf(state)));
  const said = [...families].flatMap((family) =>
    family.highlights(all.filter(({ state }) => gameOf(state) === family)),
  );
  if (!said.length) return null;
  return h(
    "section",
    { class: "highlights", key: "highlights", "aria-labelledby": "highlights" },
    h("h2", { id: "highlights" }, t("recap.highlights")),
    h(
      "dl",
      {},
      said.map(({ title, text, watch }) =>
        h("div", { key: title }, h("dt", {}, title), h("dd", {}, text, watch && [" ", watchButton(watch)])),
      ),
    ),
  );
}

/** @param {string} to a scene, or a scene and its step */
const watchButton = (to, key = `watch-${to}`) =>
  h("button", { type: "button", class: "watch", key, "data-watch": to }, t("recap.watch"));

/**
 * The outcome of each step that was not undone.
 * @param {RecapScene} scene
 * @param {StateFrame[]} frames
 */
function outcomesOf(scene, frames) {
  const chronicle = chronicleOf(scene);
  const states = new Map(scene.steps.map(({ seq }, at) => [seq, frames[at]]));
  return chronicle.entries
    .filter((entry) => !entry.undone && entry.came?.length)
    .flatMap(({ seq, event, came = [] }) => {
      const state = states.get(seq);
      return state ? [{ scene: scene.number, title: scene.title, seq, event, came, state }] : [];
    });
}

/**
 * The chronicle of a scene without the readers' troubles.
 * @param {RecapScene} scene
 */
function chronicleOf(scene) {
  const chronicle = new Chronicle(Infinity);
  chronicle.take({
    type: "chronicle",
    reset: true,
    entries: scene.entries.filter(({ event }) => !event.type.startsWith("reader-")),
  });
  return chronicle;
}

/**
 * @param {RecapScene} scene
 * @param {StateFrame[]} frames
 * @param {Seals} seals
 */
function sceneOf(scene, frames, seals) {
  const last = frames.findLast(({ phase }) => phase === "over");
  if (last) enter(last);
  const result = last && prompt(readState(last));
  const told = paragraphs(chronicleOf(scene).entries);
  const title = scene.title || t("recap.scene", { number: scene.number });
  const when = scene.ended_ms
    ? t("recap.when", { from: time(scene.began_ms), to: time(scene.ended_ms) })
    : t("recap.since", { from: time(scene.began_ms) });
  return h(
    "section",
    {
      class: "book-scene",
      key: `scene-${scene.number}`,
      id: `scene-${scene.number}`,
      "aria-labelledby": `title-${scene.number}`,
    },
    h("h2", { id: `title-${scene.number}` }, title),
    h("p", { class: "hint" }, day(scene.began_ms), ", ", when),
    result && h("p", { class: "result", key: "result" }, result.head, result.more && [" ", h("span", {}, result.more)]),
    scene.steps_left_out > 0 && h("p", { class: "hint", key: "cut" }, t("recap.cut", { count: scene.steps_left_out })),
    frames.length > 0 && watchButton(String(scene.number), "watch"),
    h(
      "ol",
      { class: "told", key: "told" },
      told.map((each) =>
        h(
          "li",
          { key: each.seq },
          each.undone
            ? h("p", {}, h("span", { class: "unseen" }, t("gm.log.struck")), h("del", {}, each.lines.join(" ")))
            : h("p", {}, each.lines.join(" "), " ", !each.alone && watchButton(`${scene.number}.${each.seq}`)),
        ),
      ),
    ),
    scene.seals.length > 0 && sealTable(scene, seals),
  );
}

/**
 * @param {RecapScene} scene
 * @param {Seals} seals
 */
function sealTable(scene, seals) {
  /** @param {RecapSeal} seal @param {number} at */
  const line = (seal, at) => {
    const [kind, value] = partsOf(seal.opening.choice);
    const sound = seals.sound.get(seal);
    const word = !seals.checkable
      ? "recap.seal.hub"
      : sound === undefined
        ? "recap.seal.waits"
        : sound
          ? "recap.seal.sound"
          : "recap.seal.broken";
    return h(
      "tr",
      { key: at, class: sound === false ? "broken" : null },
      h("td", {}, "actor" in seal.line ? pretty(seal.line.actor) : t("recap.seal.chance")),
      h("td", {}, "actor" in seal.line ? cardOf(kind, value).name : t("recap.seal.drawn")),
      h("td", {}, h("code", { title: seal.line.digest }, seal.line.digest.slice(0, SHORT))),
      h("td", {}, h("code", { title: seal.opening.nonce }, seal.opening.nonce.slice(0, SHORT))),
      h("td", {}, t(word)),
    );
  };
  const heads = ["who", "card", "digest", "nonce", "check"].map((name) =>
    h("th", { scope: "col", key: name }, t(`recap.seal.${name}`)),
  );
  return h(
    "details",
    { class: "seals-of", key: "seals" },
    h("summary", {}, t("recap.seals", { count: scene.seals.length })),
    h(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": t("recap.seals", { count: scene.seals.length }) },
      h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, scene.seals.map(line))),
    ),
  );
}

/**
 * @param {RecapData} recap
 * @param {Seals} seals
 */
function checks({ check, head, log }, seals) {
  return h(
    "footer",
    { class: "checks", key: "checks" },
    h("h2", {}, t("recap.checks")),
    h(
      "p",
      { class: check.sound ? "" : "broken" },
      t(check.sound ? "recap.check.sound" : "recap.check.broken", {
        lines: check.lines,
        opened: check.opened,
        unopened: check.unopened,
      }),
    ),
    check.problems.map((each, at) => h("p", { class: "broken", key: `problem-${at}` }, each)),
    seals.checkable &&
      seals.all.length > 0 &&
      h(
        "p",
        { key: "here", role: "status", class: seals.done && seals.count < seals.all.length ? "broken" : "" },
        seals.done ? t("recap.check.here", { number: seals.count, most: seals.all.length }) : t("recap.seal.waits"),
      ),
    h("p", { class: "hint", key: "head" }, t("recap.head"), " ", h("code", {}, head)),
    log && h("p", { class: "hint", key: "log" }, t("recap.log"), " ", h("code", {}, log)),
  );
}
