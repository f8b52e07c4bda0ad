// @ts-nocheck
/** The top of a seat's page: whose it is, what is asked of it now, and what it has to beware of. */

import { banners } from "../../core/banners.js";
import { choiceName } from "../../games/triangle/cards.js";
import { h } from "../../core/dom.js";
import { plug } from "../../games/triangle/shapes.js";
import { isProblem } from "../../games/triangle/problem.js";
import { prompt } from "../../games/triangle/say.js";
import { signalWords } from "../../core/signals.js";
import { timer } from "../stage.js";
import { knows, list, pretty, t } from "../../core/texts.js";

/** Kinds of choice that can be declared at any time, and that nobody asks for. */
const MAY = ["agreed", "end-combo", "use", "first", "next-highest", "overrule"];

const asks = (ui, name, fits) =>
  ui.questions.some((one) => one.actor === name && one.offers.some((offer) => fits(offer.kind)));

/** Whether a character is asked something that is answered by word. */
export const duties = (ui, name) => asks(ui, name, (kind) => !MAY.includes(kind));

/** Whether a card is awaited from this character, and not in yet. */
export const mustSeal = (state, actor) =>
  state?.phase === "sealed" && state.awaited.includes(actor.name) && !state.committed.includes(actor.name);

/** Whether anything is wanted from this character now. */
export const isWanted = (state, ui, actor) => mustSeal(state, actor) || duties(ui, actor.name);

/** What is wanted of one character, in a few words. */
export function want(state, ui, actor) {
  if (!state || !actor) return t("waiting");
  if (["idle", "paused", "locked"].includes(state.phase)) return t(state.phase);
  if (state.step === "over") return prompt(state).head;
  if (mustSeal(state, actor)) {
    const kind = actor.kinds[0] ?? state.step;
    return t(knows(`own.want.${kind}`) ? `own.want.${kind}` : "own.want.card");
  }
  if (state.phase === "sealed" && state.committed.includes(actor.name)) {
    return t(state.answers?.includes(actor.name) ? "own.want.answer" : "own.want.sealed");
  }
  if (asks(ui, actor.name, (kind) => kind === "veto")) return t("own.want.veto");
  return t(duties(ui, actor.name) ? "own.want.decide" : "own.want.nothing");
}

/** What lies face up and concerns this character: disadvantage, combos. */
function dangers(state, name) {
  const character = state?.game?.characters?.[name];
  if (!character || character.out) return [];
  const { combo } = state.game;
  const cards = (moves) => list(moves.map((move) => choiceName("move", move)));
  const found = [];
  if (character.face_up.length) {
    const places = { cards: cards(character.face_up), more: character.face_up.length };
    found.push(["disadvantage", t("own.danger.disadvantage", places)]);
  }
  if (combo) {
    const places = { cards: cards(combo.moves), bonus: combo.bonus, victim: pretty(combo.victim) };
    if (combo.victim === name) found.push(["combo", t("own.danger.combo", places)]);
    else if (state.game.characters[combo.victim]?.side !== character.side) found.push(["chance", t("own.danger.chance", places)]);
  }
  return found;
}

/** Tabs, where a seat plays several characters. */
function tabs(state, ui) {
  if (ui.actors.length < 2) return h("p", { class: "own-name", key: "name" }, pretty(ui.actors[0]?.name ?? ui.seat));
  return h(
    "nav",
    { class: "own-tabs", key: "tabs", "aria-label": t("own.characters"), "data-arrows": true },
    ui.actors.map((actor) => {
      const wanted = isWanted(state, ui, actor);
      const current = actor.name === ui.current;
      return h(
        "button",
        { type: "button", key: actor.name, "data-tab": actor.name, "aria-current": current && "true", class: wanted && "wanted" },
        h("span", {}, pretty(actor.name)),
        wanted && h("small", {}, t("own.awaited")),
      );
    }),
  );
}

/** The page's head: the character, the time, a lost connection. */
export function head(state, ui, status) {
  return h(
    "header",
    { class: "own-head", key: "head" },
    banners(state, status),
    h("div", { class: "own-who", key: "who" }, tabs(state, ui), state?.timer && timer(state)),
  );
}

/** The moment: what is wanted, what happens, what is dangerous, and how a card can be laid. */
export function moment(state, ui, actor) {
  const wanted = Boolean(state && actor && isWanted(state, ui, actor));
  const { head: now, more } = prompt(state);
  const title = want(state, ui, actor);
  const lost = state?.seats.some((seat) => seat.seat === ui.seat && seat.reader === "lost");
  const lies = !lost && ui.lies && signalWords(ui.lies);
  const reader = state && actor && mustSeal(state, actor) && !lies && t(lost ? "own.reader.lost" : "own.reader");
  const full = /[.?!]$/.test(now) ? now : `${now}.`;
  const scene = [state?.title, state?.game && !isProblem(state.game) && state.turn_number > 0 && t("turn", { number: state.turn_number })];
  return h(
    "section",
    { class: `own-moment ${wanted ? "wanted" : ""} ${state?.phase ?? ""}`, key: "moment", "aria-labelledby": "want" },
    h("p", { class: "eyebrow", key: "scene" }, scene.filter(Boolean).join(" · ")),
    h("h1", { id: "want", tabindex: "-1", key: "want" }, title),
    h("p", { class: "now", key: "now" }, wanted ? full : now !== title ? `${full} ${more}` : more),
    isProblem(state?.game) && state.game.problem && h("p", { class: "own-problem", key: "problem" }, state.game.problem),
    dangers(state, actor?.name).map(([kind, text]) => h("p", { class: `own-danger ${kind}`, key: kind }, text)),
    lies && h("p", { class: "own-reader lies", key: "lies", "data-lies": ui.lies }, lies),
    reader && h("p", { class: `own-reader ${lost ? "lost" : ""}`, key: "reader" }, lost && plug(), reader),
  );
}
