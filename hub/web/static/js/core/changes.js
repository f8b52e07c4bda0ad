/** Previews of a command: the changes it will make, one by one. */

import { h } from "./dom.js";
import { told } from "./game.js";
import { leftSaid } from "./left.js";
import { knows, list, pretty, t } from "./texts.js";

/** @typedef {import("./types").Change} Change */

/** Path segments that are not worded. */
const KEPT = ["base"];
/** Kinds whose removal is one fixed sentence. */
const GOES = ["sealed", "beside", "decided", "counted"];

/**
 * A value in words.
 * @param {string} what
 * @param {unknown} value
 */
function said(what, value) {
  if (value === null || value === "" || (Array.isArray(value) && !value.length)) return t("gm.change.nothing");
  if (typeof value === "boolean") return t(value ? "gm.yes" : "gm.no");
  if (Array.isArray(value))
    return list(value.map((each) => told(({ changes }) => changes.said(what, each)) ?? String(each)));
  return String(value);
}

/**
 * The subject of a change in words: Attack, Scouter, countdown The tide.
 * @param {string[]} what
 */
function about([what = "", ...more]) {
  const own = told(({ changes }) => changes.about([what, ...more]));
  if (own) return own;
  if (what === "countdowns") return pretty(more[0]);
  const key = `gm.change.${what}`;
  return [knows(key) ? t(key) : pretty(what), ...more.filter((each) => !KEPT.includes(each)).map(pretty)].join(" ");
}

/**
 * One change: Attack 3 → 4.
 * @param {Change} change
 * @param {boolean} ends whether the scene ends with it
 * @returns {import("./types").Part}
 */
function line(change, ends) {
  const { what, before, after } = change;
  const [kind] = what;
  const whole = told(({ changes }) => changes.whole(change));
  if (whole) return whole;
  if (GOES.includes(kind) && after === null) return t(`gm.change.${kind}${ends ? ".end" : ""}`);
  if (kind === "away") return t(`gm.change.away.${after === null ? "back" : "gone"}`);
  if (kind === "absent") return t(`gm.change.absent.${after === null ? "back" : "gone"}`);
  if (kind === "undecided") return leftSaid({ step: String(what[1]), waits: /** @type {string[]} */ (before) });
  if (kind === "scene") return t(`gm.change.scene.${after === null ? "ends" : "begins"}`);
  const sign = told(({ changes }) => changes.sign(what));
  const words = [`${about(what)} `, h("del", {}, said(kind, before)), " → ", h("ins", {}, said(kind, after))];
  return sign ? h("span", { class: "with-sign" }, sign, h("span", {}, words)) : words;
}

/**
 * The changes that concern one person, or no person: one line, or a list.
 * @param {Change[]} some
 * @param {boolean} ends
 * @returns {import("./types").Part}
 */
function person(some, ends) {
  const [{ who }] = /** @type {[Change]} */ (some);
  const name = who && h("b", {}, pretty(who), ": ");
  return some.length === 1
    ? [name, line(some[0], ends)]
    : [
        name,
        h(
          "ul",
          { class: "of-one" },
          some.map((each, at) => h("li", { key: `of-${at}` }, line(each, ends))),
        ),
      ];
}

/**
 * Sort changes in the family's order. For a new sheet only the name is listed.
 * @param {Change[]} changes
 */
function inOrder(changes) {
  const { follows, rank } = told((family) => family.changes);
  const whole = changes.filter(({ who, what: [kind] }) => who && kind === "name");
  const known = changes.filter(({ who }) => !whole.some((each) => each.who === who));
  const news = known.filter(({ what: [kind] }) => !follows.includes(kind));
  const rest = news.length || whole.length ? news : known;
  return {
    whole,
    rest: [...new Set(rest.map(({ who }) => who))].flatMap((who) =>
      rest.filter((each) => each.who === who).sort((a, b) => rank(a.what) - rank(b.what)),
    ),
  };
}

/**
 * The changes as a list, or the reason why the command is impossible.
 * @param {import("./types").Frames["preview"]} answer
 */
export function changesList({ changes, reason }) {
  if (reason) return h("p", { class: "bad", key: "why" }, reason);
  const { whole, rest: all } = inOrder(changes);
  const ends = all.some(({ what: [kind], after }) => kind === "scene" && after === null);
  // When the scene ends, its decisions and counts are void anyway.
  const rest = all.filter(
    (each) =>
      !(ends && ["decided", "counted"].includes(each.what[0] ?? "")) &&
      told((family) => family.changes.whole(each)) !== "",
  );
  const lines = [
    ...whole.map(({ who, before, after }) => [
      h("b", {}, pretty(String(after ?? before ?? who))),
      " ",
      t(after === null ? "gm.change.leaves" : "gm.change.joins"),
    ]),
    ...[...new Set(rest.map(({ who }) => who))].flatMap((who) => {
      const some = rest.filter((each) => each.who === who);
      return who ? [person(some, ends)] : some.map((each) => line(each, ends));
    }),
  ];
  if (!lines.length) return h("p", { key: "nothing" }, t("gm.change.none"));
  return h(
    "ul",
    { class: "undone-list changes", key: "list" },
    lines.map((each, at) => h("li", { key: `line-${at}` }, each)),
  );
}

/**
 * The preview of a command, requested once for each command and version; null until it is answered.
 * @param {import("./types").Ui} ui
 * @param {import("./types").State} state
 * @param {import("./types").Command} command
 * @returns {import("./types").Frames["preview"]|null}
 */
export function previewOf(ui, state, command) {
  const asked = JSON.stringify([command, state.version]);
  const { commander } = ui;
  if (ui.previewed?.asked !== asked || !commander.hasAsked(ui.previewed.id))
    ui.previewed = { asked, id: commander.preview(command) };
  return commander.answerTo(ui.previewed.id);
}
