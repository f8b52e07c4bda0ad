/** One party of a Conflict: its cards, its Losses, and what it can still use. */

import { h } from "#core/dom.js";
import { portrait } from "#core/portrait.js";
import { plug } from "#core/shapes.js";
import { list, pretty, t } from "#core/texts.js";
import { word } from "#core/words.js";
import { lying } from "./cards.js";
import { staying } from "./conflict.js";
import { meter } from "./meter.js";

/** @typedef {import("./types").Conflict} Conflict */

const CROWD = 7;

/**
 * A party's current activity or result, as badges.
 * @param {Conflict} state
 * @param {string} name
 * @returns {Array<[string, string]>}
 */
function badges(state, name) {
  const { game } = state;
  const { round, parties, result } = game;
  const party = parties[name];
  if (result) return result.winner === name ? [["won", t("tourists.stage.victor")]] : [];
  if (!party || party.out) return [];
  /** @type {Array<[string, string]>} */
  const found = [];
  const own = staying(state, name);
  const waits = own.some((who) => state.awaited.includes(who));
  const ready = own.some((who) => state.committed.includes(who));
  if (round?.speaking === name && ["bid", "answers", "because", "redraw", "loss", "story"].includes(state.step)) {
    if (state.step === "bid") found.push(["acts", t("tourists.stage.speaks")]);
    else found.push(["next", t("tourists.stage.next")]);
  }
  if (round?.winners.includes(name)) found.push(["won", t("tourists.stage.won")]);
  if (round?.losers.includes(name)) found.push(["lost-round", t("tourists.stage.lost")]);
  if (round?.narrator === name) found.push(["acts", t("tourists.stage.tells")]);
  if (waits && ready) found.push(["ready", t("badge.ready")]);
  else if (waits && state.step === "answers") found.push(["choosing", t("tourists.stage.asked")]);
  else if (waits && state.step !== "bid" && round?.narrator !== name) found.push(["choosing", t("badge.choosing")]);
  if (party.passed && !round?.outcome) found.push(["passed", t("tourists.stage.passed")]);
  return found;
}

/** The cards that mark Losses. @param {import("./types").PartyView} party */
function losses({ temporary, lasting }) {
  if (!temporary.length && !lasting.length) return null;
  return h(
    "div",
    { class: "losses", key: "losses" },
    temporary.length > 0 &&
      h(
        "div",
        { class: "loss temporary", key: "temporary" },
        h("h3", {}, word("tourists.temporary", t("tourists.stage.temporary", { count: temporary.length }))),
        h(
          "div",
          { class: "row-of" },
          temporary.map((card) => lying(card, { look: "tiny" })),
        ),
      ),
    lasting.map(({ cards, face_down: down, who, gravity, text }, at) =>
      h(
        "div",
        { class: "loss lasting", key: `lasting-${at}` },
        h(
          "h3",
          {},
          word("tourists.lasting", t("tourists.stage.lasting", { gravity })),
          " ",
          h("span", { class: "borne-by" }, pretty(who)),
        ),
        text && h("p", { class: "loss-text" }, text),
        h(
          "div",
          { class: "row-of" },
          cards.map((card) =>
            lying(card, {
              look: "tiny",
              down: down.includes(card.number),
              more: down.includes(card.number) ? t("tourists.stage.used") : "",
            }),
          ),
        ),
      ),
    ),
  );
}

/**
 * The members, each with its Reserve.
 * @param {Conflict} state
 * @param {string} name
 */
function people(state, name) {
  const { members, parties } = state.game;
  return h(
    "ul",
    { class: "members", key: "members" },
    (parties[name]?.characters ?? []).map((who) => {
      const member = members[who];
      if (!member) return null;
      const lost = state.seats.some((seat) => seat.reader === "lost" && seat.characters.includes(who));
      const reserve = member.reserve.length;
      return h(
        "li",
        { key: who, class: member.conceded ? "gone-one" : "", "data-name": who },
        portrait(who),
        h("span", { class: "called" }, pretty(who)),
        lost && h("span", { class: "badge lost" }, plug, t("reader.lost.short")),
        member.conceded &&
          !(parties[name]?.out && who === name) &&
          h("span", { class: "gone" }, t("tourists.stage.conceded")),
        reserve > 0 &&
          h(
            "span",
            {
              class: "reserve",
              role: "img",
              "aria-label": t("tourists.stage.reserve", {
                count: reserve,
                number: reserve,
                cards: list(member.reserve.map(({ number }) => String(number))),
              }),
            },
            member.reserve.map((card) => lying(card, { look: "mini", key: `reserve-${card.number}` })),
          ),
      );
    }),
  );
}

/**
 * @param {Conflict} state
 * @param {string} name
 */
export function partyView(state, name) {
  const { parties, control, round, result } = state.game;
  const party = parties[name];
  if (!party) return null;
  const ranks = control?.party === name && !result ? control.ranks : 0;
  const tokens = round?.dominant === name && !round.outcome ? round.had - round.spent : 0;
  const answered = round?.answered.includes(name);
  const crowd = party.laid.length > CROWD ? "crowd" : "";
  return h(
    "article",
    {
      class: `party-of ${ranks ? "dominant" : ""} ${party.out ? "away" : ""} ${crowd} ${round?.speaking === name && state.step === "bid" ? "in-turn" : ""}`,
      key: name,
    },
    h(
      "header",
      {},
      h("h2", {}, pretty(name)),
      party.out && word(`tourists.${party.out}`, t(`tourists.stage.${party.out}`), { look: "gone", key: "gone" }),
      ranks > 0 &&
        word("tourists.control", t("tourists.stage.control", { ranks }), { look: "badge control", key: "control" }),
      tokens > 0 &&
        h(
          "span",
          {
            class: "tokens-of",
            key: "tokens",
            role: "img",
            "aria-label": t("tourists.stage.tokens", { count: tokens, number: tokens }),
          },
          Array.from({ length: Math.min(tokens, 10) }, (_, at) => h("i", { key: `token-${at}` })),
        ),
      badges(state, name).map(([kind, text]) => h("span", { class: `badge ${kind}`, key: kind }, text)),
    ),
    !party.out &&
      !result &&
      h(
        "p",
        { class: "goal", key: "goal" },
        party.goal,
        party.goal && " · ",
        h("span", { class: "total" }, t("tourists.stage.total", { total: party.total })),
      ),
    (party.out || result) && party.goal && h("p", { class: "goal", key: "goal" }, party.goal),
    !party.out &&
      h(
        "div",
        { class: "laid", key: "laid" },
        party.laid.map(({ card, turned, reserve }, at) =>
          lying(card, {
            look: `${reserve ? "of-reserve" : ""} ${turned ? "turned" : ""} ${answered && at === party.laid.length - 1 ? "answered" : ""}`,
            more: [reserve && t("tourists.stage.of-reserve"), turned && t("tourists.stage.turned")]
              .filter(Boolean)
              .join(", "),
          }),
        ),
        round?.cover && round.covers === name && lying(round.cover.card, { look: "of-reserve laying", key: "cover" }),
      ),
    !party.out && meter(party.reversed),
    !party.out && losses(party),
    people(state, name),
  );
}
