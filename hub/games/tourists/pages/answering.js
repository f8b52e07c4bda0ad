/** Answers to a laid card: turn, reject, cover, or let be; each with its effect. */

import { h } from "#core/dom.js";
import { decide, fold, press, row } from "#core/parts.js";
import { list, pretty, t } from "#core/texts.js";
import { groupOf, isAsked, lastOf, written } from "./conflict.js";
import { cardLies } from "./named.js";

/** @typedef {import("#core/types.js").Ui} Ui */
/** @typedef {import("#core/types.js").Offer} Offer */
/** @typedef {import("./types").InRound} InRound */

/**
 * Parse an answer: the card it lays, and the party whose card it answers. Without a named party it
 * is the only one answered.
 * @param {InRound} state
 * @param {Offer} offer as the hub has it: `cover 33 upright News Crew`
 */
export function partsOfAnswer({ game }, { choice }) {
  const [, kind = "", rest = ""] = /^(\S+) ?(.*)$/.exec(choice) ?? [];
  const [, card = "", named = ""] = kind === "cover" ? (/^(\d+ \w+) ?(.*)$/.exec(rest) ?? []) : ["", "", rest];
  return { kind, card, on: named || (game.round.answered[0] ?? "") };
}

/**
 * The name and the effect of an answer.
 * @param {InRound} state
 * @param {string} actor
 * @param {Offer} offer
 */
function said(state, actor, offer) {
  const { game } = state;
  const { kind, card, on } = partsOfAnswer(state, offer);
  const last = lastOf(state, on);
  const own = game.members[actor]?.reserve.find((each) => written(each) === card);
  const places = { party: pretty(on), card: own ? cardLies(own) : card, left: game.round.had - game.round.spent - 1 };
  if (kind === "turn") {
    const key = last?.card.reversed ? "tourists.own.turn.up" : "tourists.own.turn.down";
    return { name: t("tourists.own.turn"), more: t(key, places) };
  }
  return kind === "reject"
    ? { name: t("tourists.own.reject"), more: t("tourists.own.reject.more", places) }
    : { name: t("tourists.own.cover", places), more: t("tourists.own.cover.more") };
}

/**
 * @param {InRound} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Asking} asking
 */
export function answering(state, ui, { actor, offers }) {
  const { answered } = state.game.round;
  const calm = offers.filter(({ choice }) => choice.startsWith("let-be"));
  const active = offers.filter((offer) => !calm.includes(offer));
  /** @param {Offer} offer */
  const button = (offer) => {
    const { name, more } = said(state, actor, offer);
    return decide(ui, name, actor, offer.choice, { kind: "offer", more, why: offer.reason });
  };
  /** The answers to one party's card. @param {string} on */
  const about = (on) => {
    const some = active.filter((offer) => partsOfAnswer(state, offer).on === on);
    const last = lastOf(state, on);
    if (!some.length || !last) return null;
    const title = t("tourists.own.card.of", { party: pretty(on), card: cardLies(last.card) });
    const inside = () =>
      h("div", { class: "own-answer", key: `answer-${on}`, role: "group", "aria-label": title }, row(some.map(button)));
    return answered.length > 1 ? fold(ui, `answer-${state.version.phase}-${actor}-${on}`, title, inside) : inside();
  };
  /** @param {Offer} offer */
  const quiet = ({ choice, reason }) =>
    decide(ui, t(`tourists.own.${choice}`), actor, choice, {
      kind: choice === "let-be" ? "offer default" : "quiet",
      more: letting(state, actor, choice),
      why: reason,
    });
  const folded = active.length > 0 && ui.console && calm.length > 0 && !isOwn(state, ui, actor);
  const does = () => answered.map(about);
  return [
    all(state, ui, actor),
    folded
      ? fold(ui, `answer-${state.version.phase}-${actor}`, t("tourists.gm.answer", { actor: pretty(actor) }), does)
      : does(),
    calm.length > 0 && row(calm.map(quiet)),
  ];
}

/**
 * The effect of letting a card be (for the party), or all later ones (for this character only).
 * @param {InRound} state
 * @param {string} actor
 * @param {string} choice
 */
export function letting(state, actor, choice) {
  const others = choice === "let-be-all" ? groupOf(state, actor).filter((who) => who !== actor) : [];
  const said = t(`tourists.own.${choice}.more`);
  return others.length
    ? `${said} ${t("tourists.own.let-be-all.others", { names: list(others.map(pretty)), count: others.length })}`
    : said;
}

/**
 * Whether the GM plays this character.
 * @param {InRound} state
 * @param {Ui} ui
 * @param {string} actor
 */
const isOwn = ({ seats, gm_plays: plays }, ui, actor) =>
  plays.includes(actor) ||
  seats.some(({ seat, characters }) => seat === ui.console.gm_seat && characters.includes(actor));

/**
 * On the GM's console: one button, at the first actor, that lets the card be for all who could
 * answer.
 * @param {InRound} state
 * @param {Ui} ui
 * @param {string} actor
 */
function all(state, ui, actor) {
  if (!ui.console) return null;
  const asked = ui.questions.filter(
    ({ actor: who, offers }) => isAsked(state, who) && offers.some(({ choice }) => choice === "let-be"),
  );
  // One answer is enough for a group; a second would be refused.
  const each = asked.filter(
    ({ actor: who }, at) =>
      !state.one_of.some((group) => group.includes(who) && asked.slice(0, at).some((one) => group.includes(one.actor))),
  );
  if (each.length < 2 || each[0]?.actor !== actor) return null;
  const commands = each.map(({ actor: who }) => ({ command: "decide", actor: who, choice: "let-be" }));
  return row(press(ui, t("tourists.gm.let-be.all"), commands, { place: "let-be", kind: "offer" }));
}

/**
 * The answers still open to a character who is not asked or has let it be already.
 * @param {InRound} state
 * @param {Ui} ui
 * @param {import("#core/types.js").Asking} asking
 */
export const again = (state, ui, asking) =>
  fold(ui, `again-${state.version.phase}-${asking.actor}`, t("tourists.own.again"), () => answering(state, ui, asking));
