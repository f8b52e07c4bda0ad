/**
 * The beats of a tale: approaches while the dice tumble, faces roll by roll, the verdict, lost
 * tokens, and who is out. Each beat is a state that shows no more than has been played so far;
 * `score.js` sets the times.
 */

import { locked } from "#core/generic.js";
import { isOut, rolledOf } from "./rolled.js";

/** @typedef {import("#core/types.js").Beat} Beat */
/** @typedef {import("#core/types.js").StateFrame} StateFrame */
/** @typedef {import("./types").RollingView} RollingView */
/** @typedef {import("./types").RollView} RollView */
/** @typedef {import("./types").TricubeView} TricubeView */
/** @typedef {StateFrame & {game: TricubeView}} Told */

/** Tokens that a character may lose. @type {Array<"resolve"|"karma">} */
const TOKENS = ["resolve", "karma"];
const GOOD = ["exceptional", "success"];

/** @param {StateFrame|null} frame @returns {frame is Told} */
const isTale = (frame) => frame?.game?.ruleset === "tricube";

/**
 * @param {StateFrame|null} before the state shown so far, as the hub has sent it
 * @param {StateFrame} after
 * @returns {Beat[]}
 */
export function beats(before, after) {
  if (!isTale(before) || !isTale(after) || before.scene !== after.scene || before.seq >= after.seq) return [];
  const rolled = fallen(before, after);
  return [...rolled, ...taken(/** @type {Told|undefined} */ (rolled.at(-1)?.state) ?? before, after)];
}

/**
 * The rolls of `after`, if they were already called for in `before`.
 * @param {Told} before
 * @param {Told} after
 */
function same({ game: { rolling: was } }, { game }) {
  const now = rolledOf(game);
  return was && now && was.challenge === now.challenge && was.order.join() === now.order.join() ? { was, now } : null;
}

/**
 * From dice in the hand to the verdict.
 * @param {Told} before
 * @param {Told} after
 * @returns {Beat[]}
 */
function fallen(before, after) {
  const found = same(before, after);
  if (!found) return [];
  const { was, now } = found;
  const open = before.step === "approach" && after.step !== "approach";
  const landing = now.order.filter((who) => now.rolls[who]?.dice && !was.rolls[who]?.dice);
  const out = now.order.filter((who) => isOut(after.game, who) && !isOut(before.game, who));
  // Dice entered by hand reveal nothing until all of them lie on the table.
  const lies = landing.length > 0 && (!now.by_hand || after.step !== before.step);
  if (!open && !lies && !out.length) return [];
  const base = open ? locked(before) : before;
  const { challenge } = now;
  const met = open && challenge !== null && after.game.challenges[challenge];
  const challenges =
    met && before.game.challenges[challenge]
      ? { ...before.game.challenges, [challenge]: { ...before.game.challenges[challenge], difficulty: met.difficulty } }
      : before.game.challenges;
  /**
   * @param {number} count of rolls whose dice are shown
   * @param {boolean} tumbles
   */
  const showing = (count, tumbles) => {
    const rolls = Object.fromEntries(
      now.order.map((who) => [who, thrown(was, now, who, landing.indexOf(who) < count)]),
    );
    const rolling = /** @type {RollingView} */ ({ ...was, tumbles, rolls });
    return /** @type {StateFrame} */ ({ ...base, game: { ...before.game, challenges, rolling } });
  };
  const tumbles = landing.length > 0 && !now.by_hand;
  /** @type {Beat[]} */
  const beats = [];
  if (open) beats.push({ cue: "turn", detail: { kind: "approach" }, state: showing(0, tumbles) });
  else if (tumbles) beats.push({ cue: "turn", detail: { kind: "throw" }, state: showing(0, true) });
  if (lies)
    landing.forEach((name, at) =>
      beats.push({ cue: "dice", detail: { name, dice: now.rolls[name]?.dice }, state: showing(at + 1, tumbles) }),
    );
  if (out.length) beats.push(verdict(before, after, { was, now }, out, challenges));
  return beats;
}

/**
 * A roll before its outcome is told.
 * @param {RollingView} was
 * @param {RollingView} now
 * @param {string} who
 * @param {boolean} lies whether its dice are shown
 * @returns {RollView}
 */
function thrown(was, now, who, lies) {
  const [before, after] = [was.rolls[who], now.rolls[who]];
  const { quirk, set } = after.difficulty;
  const { karma } = before.difficulty;
  // In an opposed roll the dice themselves would reveal the difficulty.
  const known = now.challenge === null ? before.difficulty.set : set;
  return {
    ...before,
    quirk: after.quirk,
    dice: lies ? after.dice : null,
    hits: null,
    outcome: null,
    difficulty: { set: known, quirk, karma, final: known === null ? null : known + quirk + karma },
  };
}

/**
 * The outcome, before any token goes.
 * @param {Told} before
 * @param {Told} after
 * @param {{was: RollingView, now: RollingView}} rollings
 * @param {string[]} out the rolls decided now
 * @param {TricubeView["challenges"]} challenges
 * @returns {Beat}
 */
function verdict(before, after, { was, now }, out, challenges) {
  const rolls = Object.fromEntries(
    now.order.map((who) => {
      const { removed, gain, price, defeated } = was.rolls[who];
      return [who, { ...now.rolls[who], removed, gain, price, defeated }];
    }),
  );
  const judged = { ...now, rolls };
  const placed = after.game.rolling ? { rolling: judged } : { rolling: null, last_rolling: judged };
  const winner = out.find((who) => GOOD.includes(now.rolls[who].outcome ?? "")) ?? null;
  const state = {
    ...locked(before),
    step: after.step,
    awaited: after.awaited,
    game: { ...before.game, challenges, ...placed },
  };
  return { cue: "verdict", detail: { winner }, state: /** @type {StateFrame} */ (state) };
}

/**
 * Tokens lost one by one, and characters who are out as a result.
 * @param {Told} base the state shown so far
 * @param {Told} after
 * @returns {Beat[]}
 */
function taken(base, after) {
  const { challenges, cast } = base.game;
  /** @type {Beat[]} */
  const found = [];
  let shown = base.game;
  /**
   * @param {string} cue
   * @param {Record<string, unknown>} detail
   * @param {Partial<TricubeView>} change
   */
  const add = (cue, detail, change) => {
    shown = { ...shown, ...change };
    found.push({ cue, detail, state: /** @type {StateFrame} */ ({ ...base, game: shown }) });
  };
  for (const [name, { left }] of Object.entries(after.game.challenges)) {
    for (let tokens = (challenges[name]?.left ?? 0) - 1; tokens >= left; tokens -= 1) {
      add(
        "loss",
        { name, type: "effort", left: tokens },
        { challenges: { ...shown.challenges, [name]: { ...shown.challenges[name], left: tokens } } },
      );
    }
  }
  for (const [name, one] of Object.entries(after.game.cast)) {
    for (const type of TOKENS) {
      for (let tokens = (cast[name]?.[type] ?? 0) - 1; tokens >= one[type]; tokens -= 1) {
        add(
          "loss",
          { name, type, left: tokens },
          { cast: { ...shown.cast, [name]: { ...shown.cast[name], [type]: tokens } } },
        );
      }
    }
  }
  for (const [name, { absent }] of Object.entries(after.game.cast)) {
    if (absent && cast[name]?.absent === null)
      add("knock-out", { name }, { cast: { ...shown.cast, [name]: { ...shown.cast[name], absent } } });
  }
  return found;
}
