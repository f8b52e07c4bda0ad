/** A player's wishes between scenes: a cure, healing by time, and edits of the sheet. */

import { h } from "#core/dom.js";
import { draw } from "#core/forms.js";
import { area, choose, fold, form, line, press } from "#core/parts.js";
import { pretty, t, textOf } from "#core/texts.js";
import { onlyOf } from "./asked-karma.js";
import { WORDS } from "./gm/sheets.js";
import { awayFor, linesOf, STYLES } from "./lasting.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("./lasting.js").Lasting} Lasting */

const MOST = 200;
const MOST_LINES = 2000;

/**
 * A character's affliction, as one value.
 * @param {string} who
 * @param {string} affliction
 */
const whose = (who, affliction) => JSON.stringify([who, affliction]);

/**
 * The afflictions that a character with perks could cure: its own, then the others'.
 * @param {string} name
 * @param {Record<string, Lasting>} party
 * @returns {Array<[string, {name: string, lasts: string}]>}
 */
export function curable(name, party) {
  const names = [name, ...Object.keys(party).filter((who) => who !== name)];
  return names.flatMap((who) =>
    party[who] && !party[who].dead
      ? party[who].afflictions.map((each) => /** @type {[string, typeof each]} */ ([who, each]))
      : [],
  );
}

/**
 * The part of a player's page; null during a scene or without a sheet.
 * @param {import("#core/types.js").State} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Actor} actor
 */
export function own(state, ui, { name, sheet, wish, wish_told: wishTold, declined, declined_told: declinedTold }) {
  const mine = /** @type {Lasting|null} */ (sheet);
  if (state.phase !== "idle" || !state.story || !mine) return null;
  /** @param {import("#core/types.js").Part[]} inside */
  const part = (...inside) =>
    h(
      "section",
      { class: "own-level", key: "wish", "aria-labelledby": "own-wish" },
      h("h2", { id: "own-wish", key: "title" }, t("tricube.wish")),
      inside,
    );
  if (wish)
    return part(
      h("p", { key: "wish" }, t("tricube.wish.asked", { what: wishTold ? textOf(wishTold) : "" })),
      press(ui, t("tricube.wish.less"), { command: "wish", name }, { place: `unwish ${name}`, seen: true }),
    );
  const party = /** @type {Record<string, Lasting>} */ (/** @type {any} */ (state.story)?.party ?? {});
  /** @param {Record<string, unknown>} wants @param {string} [why] */
  const ask = (wants, why = "") =>
    press(
      ui,
      t("tricube.wish.ask"),
      { command: "wish", name, wants },
      { place: `wish ${name} ${wants.do}`, kind: "offer default", why, hush: true, seen: true },
    );
  const able = mine.perks.length > 0 && !awayFor(mine);
  const passing = mine.afflictions.filter(({ lasts }) => lasts !== "permanent");
  const staying = mine.afflictions.filter(({ lasts }) => lasts === "permanent");
  return part(
    declined &&
      h(
        "p",
        { class: "declined", key: "declined" },
        t(declined.because ? "tricube.wish.no.because" : "tricube.wish.no", {
          what: declinedTold ? textOf(declinedTold) : "",
          because: declined.because ?? "",
        }),
      ),
    able && curable(name, party).length > 0 && cure(ui, name, mine, party, ask),
    passing.length > 0 && afflicted(ui, name, "recover", passing, ask),
    staying.length > 0 && afflicted(ui, name, "convert", staying, ask),
    words(ui, name, mine, ask),
  );
}

/**
 * @param {Ui} ui
 * @param {string} name
 * @param {Lasting} mine
 * @param {Record<string, Lasting>} party
 * @param {(wants: Record<string, unknown>, why?: string) => import("#core/types.js").Part} ask
 */
function cure(ui, name, mine, party, ask) {
  const key = `wish-${name}-cure`;
  const found = curable(name, party);
  return fold(ui, key, t("tricube.wish.cure"), () => {
    const options = found.map(([who, each]) => ({ value: whose(who, each.name) }));
    /** @type {import("#core/wire.js").Field[]} */
    const fields = [
      { at: ["whose"], kind: "one", of: "affliction", options, first: options[0]?.value },
      {
        at: ["perks"],
        kind: "several",
        of: "perks",
        options: mine.perks.map((value) => ({ value })),
        first: onlyOf(mine.perks),
      },
    ];
    const said = {
      ...WORDS,
      said: (/** @type {string} */ of, /** @type {unknown} */ value) =>
        of === "affliction" ? named(name, String(value)) : String(value),
    };
    const { parts, values } = draw(ui, key, fields, said);
    const [who = name, affliction = ""] = JSON.parse(String(values.whose));
    const lasts = found.find(([of, each]) => of === who && each.name === affliction)?.[1].lasts;
    const complication = (form(ui, key).complication ?? "").trim();
    const free = mine.karma === 0;
    const stuck = free && lasts === "permanent" && t("tricube.wish.cure.permanent.none");
    const perks = /** @type {string[]} */ (values.perks);
    const why =
      stuck ||
      (perks.length ? "" : t("tricube.wish.cure.perks")) ||
      (free && !complication ? t("tricube.wish.cure.instead.none") : "");
    return h(
      "div",
      { class: "form", key: "cure" },
      parts,
      h(
        "p",
        { class: "hint", key: "costs" },
        t(
          lasts === "permanent"
            ? "tricube.wish.cure.costs.permanent"
            : free
              ? "tricube.wish.cure.costs.instead"
              : "tricube.wish.cure.costs",
        ),
      ),
      free && lasts !== "permanent" && line(ui, key, "complication", t("tricube.field.complication"), { max: MOST }),
      ask(
        {
          do: "cure",
          name,
          ...(who === name ? {} : { who }),
          affliction,
          perks: values.perks,
          ...(free && complication ? { complication } : {}),
        },
        why,
      ),
    );
  });
}

/** @param {string} name @param {string} value */
function named(name, value) {
  const [who, affliction] = JSON.parse(value);
  return who === name ? affliction : t("tricube.wish.cure.of", { who: pretty(who), affliction });
}

/**
 * @param {Ui} ui
 * @param {string} name
 * @param {"recover"|"convert"} does
 * @param {Lasting["afflictions"]} some
 * @param {(wants: Record<string, unknown>) => import("#core/types.js").Part} ask
 */
function afflicted(ui, name, does, some, ask) {
  const key = `wish-${name}-${does}`;
  return fold(ui, key, t(`tricube.wish.${does}`), () => {
    /** @type {import("#core/wire.js").Field[]} */
    const fields = [
      {
        at: ["affliction"],
        kind: "one",
        of: "affliction",
        options: some.map((each) => ({ value: each.name })),
        first: some[0]?.name,
      },
    ];
    const { parts, values } = draw(ui, key, fields, WORDS);
    return h("div", { class: "form", key: does }, parts, ask({ do: does, name, ...values }));
  });
}

/**
 * A form to edit the sheet's texts: concept, perks, quirks.
 * @param {Ui} ui
 * @param {string} name
 * @param {Lasting} mine
 * @param {(wants: Record<string, unknown>, why?: string) => import("#core/types.js").Part} ask
 */
function words(ui, name, mine, ask) {
  const key = `wish-${name}-words`;
  return fold(ui, key, t("tricube.wish.words"), () => {
    const said = form(ui, key, {
      concept: mine.concept,
      perks: mine.perks.join("\n"),
      quirks: mine.quirks.join("\n"),
      description: mine.description ?? "",
    });
    const style = said.style ?? mine.style;
    const after = {
      style,
      concept: said.concept.trim(),
      description: said.description.trim(),
      perks: linesOf(said.perks),
      quirks: linesOf(said.quirks),
    };
    const before = {
      style: mine.style,
      concept: mine.concept,
      description: mine.description ?? "",
      perks: mine.perks,
      quirks: mine.quirks,
    };
    /** Only changes are requested. @type {Record<string, unknown>} */
    const changed = Object.fromEntries(
      Object.entries(after).filter(
        ([of, value]) => JSON.stringify(value) !== JSON.stringify(before[/** @type {keyof typeof before} */ (of)]),
      ),
    );
    const why = !after.concept
      ? t("tricube.new.lacks.concept")
      : Object.keys(changed).length
        ? ""
        : t("tricube.wish.words.none");
    return h(
      "div",
      { class: "form", key: "words" },
      line(ui, key, "concept", t("tricube.new.concept"), { max: MOST, first: mine.concept }),
      h(
        "div",
        { class: "row with-label", key: "style", role: "group", "aria-label": t("tricube.field.style") },
        h("span", { class: "what", key: "what" }, t("tricube.field.style")),
        STYLES.map((each) =>
          choose(ui, key, "style", each, t(`tricube.style.${each}`), { pressed: style === each, kind: "quiet chip" }),
        ),
      ),
      line(ui, key, "description", t("tricube.field.description"), { max: MOST, first: mine.description ?? "" }),
      area(key, "perks", t("tricube.new.perks"), { max: MOST_LINES, rows: 3, first: mine.perks.join("\n") }),
      area(key, "quirks", t("tricube.new.quirks"), { max: MOST_LINES, rows: 3, first: mine.quirks.join("\n") }),
      ask({ do: "sheet-is", name, ...changed }, why),
    );
  });
}
