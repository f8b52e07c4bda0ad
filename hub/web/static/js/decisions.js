/** Decisions by word: plain buttons for what is offered, an editor for splits, and commands. */

import { choiceName } from "./cards.js";
import { h } from "./dom.js";
import { isProblem } from "./problem.js";
import { sign, TYPES } from "./shapes.js";
import { knows, list, pretty, t } from "./texts.js";

const ASIDES = ["agreed", "end-combo", "use", "pass", "veto", "first", "next-highest"];

/** The words on an offer's button. */
function offerName(offer) {
  const key = `offer.${offer.choice.replace(" ", ".")}`;
  if (knows(key)) return t(key);
  if (knows(`offer.${offer.kind}`)) return t(`offer.${offer.kind}`, { name: pretty(offer.value) });
  if (["aim", "gain"].includes(offer.kind)) return splitName(offer.value);
  if (["active", "opponent", "target", "winner"].includes(offer.kind)) return pretty(offer.value);
  return choiceName(offer.kind, offer.value);
}

/** Points by type in words: Attack 2, Defend 1. */
function splitName(value) {
  const split = readSplit(value);
  return list(TYPES.filter((type) => split[type]).map((type) => `${t(type)} ${split[type]}`));
}

function question(state, actor, step, kind) {
  const turn = state.game?.turn;
  const places = {
    actor: pretty(actor),
    loser: pretty(turn?.loser ?? ""),
    other: pretty((turn?.active === actor ? turn?.opponent : turn?.active) ?? ""),
    total: turn?.losses?.[actor]?.total ?? "",
  };
  if (kind === "pass") return t("question.pass", places);
  if (ASIDES.includes(kind)) return t("question.aside", places);
  if (isProblem(state.game)) return t("question.other", places);
  return t(knows(`question.${step}`) ? `question.${step}` : "question.other", places);
}

function offerButton(actor, offer) {
  const why = offer.reason || (offer.default ? t("offer.default") : "");
  return h(
    "button",
    {
      type: "button",
      key: `offer-${actor}-${offer.choice}`,
      class: `offer ${offer.default ? "default" : ""}`,
      "data-command": "decide",
      "data-actor": actor,
      "data-choice": offer.choice,
      disabled: Boolean(offer.reason),
    },
    h("b", {}, offerName(offer)),
    why && h("small", {}, why),
  );
}

/** The points of a written split. */
export function readSplit(value) {
  const words = value.split(" ");
  const split = { attack: 0, defend: 0, grapple: 0 };
  for (let at = 0; at + 1 < words.length; at += 2) split[words[at]] = Number(words[at + 1]);
  return split;
}

/** The written form of a split, its zeros left out. */
export const writeSplit = (split) =>
  TYPES.filter((type) => split[type]).map((type) => `${type} ${split[type]}`).join(" ");

/** The key under which an unfinished split is kept. */
export const splitKey = (state, actor) => `${state.scene}-${state.turn_number}-${actor}`;

function splitEditor(state, ui, actor, offers) {
  const loss = state.game.turn.losses[actor];
  const { energy } = state.game.characters[actor];
  const suggested = readSplit((offers.find((offer) => offer.default) ?? offers[0]).value);
  const split = ui.splits[splitKey(state, actor)] ?? suggested;
  const taken = TYPES.reduce((sum, type) => sum + split[type], 0);
  const committed = loss.own_stance ? state.game.turn.stances[actor].split(" ")[0] : null;
  const least = (type) => (type === committed ? Math.min(loss.own_stance, energy[type]) : 0);
  const lowered = TYPES.some((type) => split[type] < least(type));
  const left = loss.total - taken;
  const words = left > 0 ? t("split.left", { left }) : left < 0 ? t("split.over", { over: -left }) : t("split.fits");
  const stepper = (type, by, label, off) =>
    h(
      "button",
      {
        type: "button",
        class: "step",
        key: `${type}${by}`,
        "data-split": type,
        "data-by": by,
        "data-actor": actor,
        "aria-label": t(label, { type: t(type) }),
        disabled: off,
      },
      by > 0 ? "+" : "−",
    );
  const row = (type) =>
    h(
      "div",
      { class: `type ${type}`, key: type },
      h("span", { class: "what" }, sign(type, t(`${type}.letter`)), t(type)),
      stepper(type, -1, "split.less.of", split[type] <= least(type)),
      h("output", {}, split[type]),
      stepper(type, 1, "split.more.of", split[type] >= energy[type]),
      h("span", { class: "has" }, t("split.has", { left: energy[type] })),
    );
  return h(
    "div",
    { class: "split", key: `split-${actor}` },
    h("div", { class: "types" }, TYPES.map(row)),
    committed && h("p", { class: "hint" }, t("split.committed", { amount: least(committed), type: t(committed) })),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          type: "button",
          class: "offer default",
          key: "take",
          "data-command": "decide",
          "data-actor": actor,
          "data-choice": `split ${writeSplit(split)}`,
          disabled: left !== 0 || lowered,
        },
        h("b", {}, t("split.take")),
        h("small", {}, words),
      ),
      h("button", { type: "button", class: "quiet", key: "suggested", "data-suggested": actor }, t("split.suggested")),
    ),
  );
}

/** Everything that can be decided by word now. */
export function decisions(state, ui) {
  const groups = ui.questions.flatMap(({ actor, step, offers }) =>
    [...new Set(offers.map((offer) => offer.kind))].map((kind) => {
      const some = offers.filter((offer) => offer.kind === kind);
      const body = kind === "split" && state.game?.turn?.losses?.[actor]
        ? splitEditor(state, ui, actor, some)
        : h("div", { class: "row" }, some.map((offer) => offerButton(actor, offer)));
      const title = question(state, actor, step, kind);
      const rank = ASIDES.includes(kind) ? "aside" : "";
      return h(
        "section",
        { class: `question ${rank}`, key: `${actor}-${step}-${kind}`, "aria-label": title },
        h("h3", {}, title),
        body,
      );
    }),
  );
  const nothing = { idle: "table.idle", sealed: "table.sealed" }[state?.phase] ?? "table.none";
  return h(
    "section",
    { class: "decisions", key: "decisions", "aria-label": t("table.decisions") },
    h("h2", { class: "unseen" }, t("table.decisions")),
    groups.length ? groups : h("p", { class: "nothing-now" }, t(nothing)),
    h("p", { class: "told bad", role: "alert", key: "refused" }, ui.refused),
  );
}

const COMMANDS = {
  "start-scene": (phase) => phase === "idle",
  pause: (phase) => ["sealed", "locked", "open", "decision"].includes(phase),
  resume: (phase) => phase === "paused",
  undo: (phase) => !["idle", "paused"].includes(phase),
  "end-scene": (phase) => phase !== "idle",
};

/** The commands of the moment, as buttons. */
export function commands(state, ui) {
  return h(
    "nav",
    { class: "commands", key: "commands" },
    Object.entries(COMMANDS)
      .filter(([, fitting]) => state && fitting(state.phase))
      .map(([name]) => {
        const sure = name === "end-scene" && state.phase !== "over";
        const label = sure && ui.asking ? t("command.end-scene.sure") : t(`command.${name}`);
        return h(
          "button",
          {
            type: "button",
            key: name,
            class: name === "start-scene" ? "offer default" : "quiet",
            "data-command": name,
            "data-ask": sure && !ui.asking,
          },
          label,
        );
      }),
  );
}
