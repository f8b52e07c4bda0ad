/**
 * The form that starts a Conflict from the sheets: the parties, their goals, and which parts of
 * each sheet apply. Totals and Control are shown below.
 */

import { h } from "#core/dom.js";
import { choose, form, line, press, row, turn } from "#core/parts.js";
import { list, pretty, t } from "#core/texts.js";
import { controlSaid } from "../say.js";

/** @typedef {import("#core/types.js").State} State */
/** @typedef {import("#core/types.js").Ui} Ui */

/**
 * A character between scenes.
 * @typedef {{attributes: Record<string, number>, aspects: string[], weaknesses: string[], reserve: unknown[], reserve_max: number, npc: boolean}} Sheet
 */
/**
 * The parts of a sheet that apply. The Attribute may be null if another member of the party uses
 * one.
 * @typedef {{attribute: string|null, aspects: string[], weaknesses: string[]}} Ticked
 */
/** @typedef {{name: string, goal: string, members: Record<string, Ticked>}} Party */

const FORM = "conflict";
const MOST_NAME = 64;
const MOST_GOAL = 200;
const DRAWS = ["table", "hub"];
const FEWEST = 2;
/** With this many ranks a Conflict is as good as decided. */
const FOREGONE = 5;

/**
 * All possible participants, the players' characters first.
 * @param {State} state
 * @param {Ui} ui
 * @returns {Record<string, Sheet>}
 */
export function sheetsOf(state, ui) {
  const party = /** @type {Record<string, any>} */ (state.story?.party ?? {});
  /** @param {Record<string, any>} some @param {boolean} npc */
  const of = (some, npc) =>
    Object.entries(some)
      .filter(([, { dead }]) => !dead)
      .map(([name, { attributes = {}, aspects = [], weaknesses = [], reserve = [], reserve_max: most = 0 }]) => [
        name,
        { attributes, aspects, weaknesses, reserve, reserve_max: most, npc },
      ]);
  return Object.fromEntries([...of(party, false), ...of(ui.console.npcs, true)]);
}

/**
 * A sheet's defaults: its best Attribute, no Aspects or Weaknesses.
 * @param {Sheet} sheet
 * @returns {Ticked}
 */
const plain = ({ attributes }) => ({
  attribute: Object.keys(attributes).sort((one, other) => (attributes[other] ?? 0) - (attributes[one] ?? 0))[0] ?? null,
  aspects: [],
  weaknesses: [],
});

/**
 * The default parties: the players together, and each NPC alone.
 * @param {Record<string, Sheet>} sheets
 * @returns {Party[]}
 */
export function usual(sheets) {
  const players = Object.entries(sheets).filter(([, { npc }]) => !npc);
  const together = {
    name: players.length === 1 ? (players[0]?.[0] ?? "") : t("tourists.begin.players"),
    goal: "",
    members: Object.fromEntries(players.map(([name, sheet]) => [name, plain(sheet)])),
  };
  const others = Object.entries(sheets)
    .filter(([, { npc }]) => npc)
    .map(([name, sheet]) => ({ name, goal: "", members: { [name]: plain(sheet) } }));
  return [...(players.length ? [together] : []), ...others];
}

/**
 * The parties of a reframed Conflict, with the parts of their sheets that applied in it and still
 * exist; null unless the last scene was reframed. The GM ticks what its Losses have become.
 * @param {State} state
 * @param {Record<string, Sheet>} sheets
 * @returns {Party[]|null}
 */
export function reframed({ ended }, sheets) {
  const game = ended?.game;
  if (game?.ruleset !== "tourists" || game.result?.reason !== "reframed") return null;
  const members = Object.entries(game.members).flatMap(([name, { party, attribute, aspects, weaknesses }]) => {
    const sheet = sheets[name];
    if (!sheet) return [];
    const used = attribute && attribute.name in sheet.attributes ? attribute.name : null;
    const ticked = {
      attribute: used,
      aspects: aspects.filter((each) => sheet.aspects.includes(each)),
      weaknesses: weaknesses.filter((each) => sheet.weaknesses.includes(each)),
    };
    return [{ party, name, ticked }];
  });
  return Object.entries(game.parties)
    .map(([name, { goal }]) => ({
      name,
      goal,
      members: Object.fromEntries(
        members.filter((each) => each.party === name).map((each) => [each.name, each.ticked]),
      ),
    }))
    .filter((party) => Object.keys(party.members).length);
}

/**
 * A party's total: the best Attribute of its characters, plus one for each Aspect, minus one for
 * each Weakness.
 * @param {Record<string, Sheet>} sheets
 * @param {Party} party
 */
export function totalOf(sheets, { members }) {
  const all = Object.entries(members);
  const best = Math.max(0, ...all.map(([name, { attribute }]) => sheets[name]?.attributes[attribute ?? ""] ?? 0));
  return all.reduce((sum, [, { aspects, weaknesses }]) => sum + aspects.length - weaknesses.length, best);
}

/**
 * The party that has Control, and its ranks; null in a tie for the highest total.
 * @param {Record<string, Sheet>} sheets
 * @param {Party[]} parties
 */
export function controlOf(sheets, parties) {
  const [first, second] = parties
    .map((party) => ({ party: party.name, total: totalOf(sheets, party) }))
    .sort((one, other) => other.total - one.total);
  const ranks = first && second ? first.total - second.total : 0;
  return first && ranks ? { party: first.party, ranks } : null;
}

/**
 * Whether the GM plays the whole party.
 * @param {Record<string, Sheet>} sheets
 * @param {Party} party
 */
const isGms = (sheets, { members }) =>
  Object.keys(members).length > 0 && Object.keys(members).every((name) => sheets[name]?.npc);

/**
 * The usual number of Reserve cards for each of the GM's parties: one for each character in the
 * players' parties.
 * @param {Record<string, Sheet>} sheets
 * @param {Party[]} parties
 */
export const typicalOf = (sheets, parties) =>
  parties.filter((party) => !isGms(sheets, party)).reduce((sum, { members }) => sum + Object.keys(members).length, 0);

/**
 * Why the Conflict cannot start yet; empty if it can.
 * @param {Record<string, Sheet>} sheets
 * @param {Party[]} parties
 */
export function whyNot(sheets, parties) {
  if (parties.length < FEWEST) return t("tourists.begin.two");
  const names = parties.map(({ name }) => name.trim());
  if (names.some((name) => !name) || new Set(names.map((name) => name.toLowerCase())).size < names.length)
    return t("tourists.begin.names");
  const empty = parties.find(({ members }) => !Object.keys(members).length);
  if (empty) return t("tourists.begin.empty", { party: pretty(empty.name) });
  const weak = parties.find(
    ({ members }) =>
      !Object.entries(members).some(([name, { attribute }]) => (attribute ?? "") in (sheets[name]?.attributes ?? {})),
  );
  return weak ? t("tourists.begin.attribute", { party: pretty(weak.name) }) : "";
}

/**
 * The scene of the command.
 * @param {Record<string, Sheet>} sheets
 * @param {Party[]} parties
 * @param {string} title
 * @param {string} draws who draws: the `table`, or the `hub`
 */
export const asked = (sheets, parties, title, draws) => ({
  type: "conflict",
  title,
  draws,
  parties: Object.fromEntries(
    parties.map((party) => [
      party.name.trim(),
      { goal: party.goal.trim(), gm: isGms(sheets, party), characters: party.members },
    ]),
  ),
});

/**
 * The form. `prepared` is the button that starts the scene from the configuration.
 * @param {State} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Drawn} prepared
 */
export function begin(state, ui, prepared) {
  const sheets = sheetsOf(state, ui);
  if (!Object.keys(sheets).length || !ui.console.scenes.length) return prepared;
  const said = form(ui, FORM);
  /** @type {Party[]} */
  const drawn = said.parties ?? reframed(state, sheets) ?? usual(sheets);
  // Text lines have separate form fields, apart from the parties.
  const parties = drawn.map((party, at) => ({
    ...party,
    name: said[`name-${at}`] ?? party.name,
    goal: said[`goal-${at}`] ?? party.goal,
  }));
  const title = (said.title ?? "").trim();
  const draws = said.draws ?? DRAWS[0];
  /** Data of a button that sets the parties, including the texts in lines. @param {Party[]} next */
  const data = (next) => ({ form: FORM, field: "*", value: JSON.stringify({ title, draws, parties: next }), json: "" });
  const why = whyNot(sheets, parties);
  return h(
    "div",
    { class: "form begin-conflict", "data-enter": "", key: "begin-conflict" },
    line(ui, FORM, "title", t("tourists.begin.title"), { max: 80 }),
    parties.map((party, at) => partyForm(ui, sheets, parties, at, data)),
    row(
      turn(t("tourists.begin.more"), data([...parties, { name: "", goal: "", members: {} }]), { key: "more-parties" }),
    ),
    h(
      "div",
      { class: "row switch", key: "draws", role: "group", "aria-label": t("tourists.begin.draws") },
      DRAWS.map((each) =>
        choose(ui, FORM, "draws", each, t(`tourists.begin.draws.${each}`), { pressed: draws === each }),
      ),
    ),
    summary(sheets, parties),
    h(
      "div",
      { class: "starts", key: "starts" },
      press(
        ui,
        t("tourists.begin.start"),
        { command: "start-scene", scene: asked(sheets, parties, title, draws) },
        { place: "start conflict", kind: "offer default", why, after: FORM },
      ),
    ),
    prepared,
  );
}

/**
 * A list with an item added or removed.
 * @param {string[]} all
 * @param {string} one
 */
const toggled = (all, one) => (all.includes(one) ? all.filter((each) => each !== one) : [...all, one]);

/**
 * @param {Ui} ui
 * @param {Record<string, Sheet>} sheets
 * @param {Party[]} parties
 * @param {number} at its index
 * @param {(next: Party[]) => Record<string, string>} data of a button that sets the parties
 */
function partyForm(ui, sheets, parties, at, data) {
  const party = parties[at];
  if (!party) return null;
  /** @param {Party} changed */
  const put = (changed) => data(parties.map((each, other) => (other === at ? changed : each)));
  /** Move a character to this party, or out of it. @param {string} name */
  const move = (name) =>
    data(
      parties.map((each, other) => {
        const { [name]: was, ...others } = each.members;
        const sheet = sheets[name];
        return other === at && !was && sheet
          ? { ...each, members: { ...each.members, [name]: plain(sheet) } }
          : { ...each, members: others };
      }),
    );
  const title = party.name.trim() ? pretty(party.name.trim()) : t("tourists.begin.party", { number: at + 1 });
  return h(
    "section",
    {
      class: "begin-party",
      key: `party-${at}`,
      "aria-label": t("tourists.begin.named", { number: at + 1, party: title }),
    },
    h("h3", { key: "title" }, title, h("b", { class: "total" }, ` ${totalOf(sheets, party)}`)),
    line(ui, FORM, `name-${at}`, t("tourists.begin.name"), { max: MOST_NAME, first: party.name }),
    line(ui, FORM, `goal-${at}`, t("tourists.begin.goal"), { max: MOST_GOAL, first: party.goal }),
    h(
      "div",
      { class: "row", key: "who", role: "group", "aria-label": t("tourists.begin.who") },
      Object.keys(sheets).map((name) =>
        turn(pretty(name), move(name), {
          pressed: name in party.members,
          kind: "quiet chip",
          key: `who-${at}-${name}`,
        }),
      ),
    ),
    Object.entries(party.members).map(([name, ticked]) =>
      memberForm(name, sheets[name], ticked, (changed) =>
        put({ ...party, members: { ...party.members, [name]: changed } }),
      ),
    ),
    parties.length > FEWEST &&
      row(
        turn(t("tourists.begin.less"), data(parties.filter((each) => each !== party)), {
          name: t("tourists.begin.less.name", { party: title }),
          key: `less-${at}`,
        }),
      ),
  );
}

/**
 * @param {string} name
 * @param {Sheet|undefined} sheet
 * @param {Ticked} ticked
 * @param {(changed: Ticked) => Record<string, string>} put
 */
function memberForm(name, sheet, ticked, put) {
  if (!sheet) return null;
  /** @param {"aspects"|"weaknesses"} what */
  const ticks = (what) =>
    sheet[what].length > 0 &&
    h(
      "div",
      {
        class: "row",
        key: what,
        role: "group",
        "aria-label": t("tourists.begin.of", { name: pretty(name), what: t(`tourists.begin.${what}`) }),
      },
      h("span", { class: "hint" }, t(`tourists.begin.${what}`)),
      sheet[what].map((text) =>
        turn(text, put({ ...ticked, [what]: toggled(ticked[what], text) }), {
          pressed: ticked[what].includes(text),
          kind: "quiet chip",
          key: `${what}-${text}`,
        }),
      ),
    );
  return h(
    "div",
    { class: "begin-member", key: `member-${name}` },
    h("b", { key: "name" }, pretty(name)),
    h(
      "div",
      {
        class: "row",
        key: "attribute",
        role: "group",
        "aria-label": t("tourists.begin.of", { name: pretty(name), what: t("tourists.word.attribute") }),
      },
      Object.entries(sheet.attributes).map(([attribute, value]) =>
        turn(
          `${pretty(attribute)} ${value}`,
          put({ ...ticked, attribute: ticked.attribute === attribute ? null : attribute }),
          { pressed: ticked.attribute === attribute, kind: "quiet chip", key: `attribute-${attribute}` },
        ),
      ),
    ),
    ticks("aspects"),
    ticks("weaknesses"),
  );
}

/**
 * The Control and the usual Reserves.
 * @param {Record<string, Sheet>} sheets
 * @param {Party[]} parties
 */
function summary(sheets, parties) {
  const control = controlOf(sheets, parties);
  const gms = parties.filter((party) => isGms(sheets, party)).map(({ name }) => name);
  const typical = typicalOf(sheets, parties);
  return h(
    "div",
    { class: "begin-summary", key: "summary", role: "status" },
    h("p", { key: "control" }, controlSaid(control)),
    control && control.ranks >= FOREGONE && h("p", { class: "alarm", key: "foregone" }, t("tourists.begin.foregone")),
    gms.length > 0 &&
      typical > 0 &&
      h(
        "p",
        { class: "hint", key: "typical" },
        t("tourists.begin.typical", { names: list(gms), number: typical, count: typical }),
      ),
  );
}
