/**
 * Sound sets by name, for themes to choose from: each has a sound for every cue. `nth` counts
 * repetitions of a cue, `lasts` is the length of a drum roll, and `won` tells whether there is a
 * winner.
 */

import { bell, noise, tone } from "./synth.js";

/** @typedef {{nth: number, lasts: number, won: boolean}} How */
/** @typedef {Record<string, (to: AudioNode, at: number, how: How) => void>} Set */

/** Seconds between two beats of a roll. */
const BEAT_S = 0.07;

/**
 * A drum roll that swells.
 * @param {(at: number, part: number) => void} hit
 * @param {number} at
 * @param {number} lasts
 */
function rolled(hit, at, lasts) {
  const beats = Math.max(1, Math.floor(lasts / BEAT_S));
  for (let beat = 0; beat < beats; beat++) hit(at + beat * BEAT_S, (beat + 1) / beats);
}

/** A wooden table, cards, a frame drum. @type {Set} */
const wood = {
  sealed: (to, at) => {
    noise(to, at, { from: 900, till: 300, lasts: 0.14, gain: 0.5, filter: "lowpass" });
    tone(to, at, { from: 170, till: 90, lasts: 0.16, gain: 0.5 });
  },
  "all-sealed": (to, at) => {
    for (const [late, from] of [
      [0, 520],
      [0.13, 780],
    ])
      tone(to, at + late, { from, till: from * 0.97, lasts: 0.14, gain: 0.45, wave: "triangle" });
  },
  roll: (to, at, { lasts }) =>
    rolled(
      (beat, part) => {
        noise(to, beat, { from: 240, lasts: 0.11, gain: 0.1 + 0.35 * part, q: 0.8 });
        tone(to, beat, { from: 120, till: 80, lasts: 0.1, gain: 0.06 + 0.22 * part });
      },
      at,
      lasts,
    ),
  turn: (to, at) => {
    noise(to, at, { from: 700, till: 3200, lasts: 0.2, gain: 0.5, attack: 0.08 });
    tone(to, at + 0.17, { from: 300, till: 190, lasts: 0.09, gain: 0.5, wave: "triangle" });
  },
  dice: (to, at) => {
    for (const late of [0, 0.07, 0.16]) {
      noise(to, at + late, { from: 2200, till: 900, lasts: 0.06, gain: 0.5, q: 2 });
      tone(to, at + late, { from: 340, till: 210, lasts: 0.07, gain: 0.4, wave: "triangle" });
    }
  },
  strike: (to, at) => {
    noise(to, at, { from: 3200, till: 500, lasts: 0.3, gain: 0.6 });
    tone(to, at, { from: 880, till: 110, lasts: 0.35, gain: 0.35, wave: "sawtooth" });
  },
  verdict: (to, at, { won }) => {
    const notes = won ? [262, 330, 392, 523] : [294, 277];
    notes.forEach((from, nth) =>
      tone(to, at + nth * 0.11, {
        from,
        lasts: won && nth === notes.length - 1 ? 0.9 : 0.35,
        gain: 0.35,
        wave: "triangle",
        attack: 0.01,
      }),
    );
  },
  term: (to, at, { nth }) =>
    tone(to, at, { from: 440 * 1.09 ** Math.min(nth, 9), lasts: 0.13, gain: 0.4, wave: "triangle" }),
  loss: (to, at, { nth }) => {
    noise(to, at, { from: 1900, till: 700, lasts: 0.09, gain: 0.6, q: 2 });
    tone(to, at, { from: 260 * 0.96 ** Math.min(nth, 12), till: 120, lasts: 0.16, gain: 0.4, wave: "triangle" });
  },
  "knock-out": (to, at) => {
    tone(to, at, { from: 120, till: 34, lasts: 1.3, gain: 0.7 });
    noise(to, at, { from: 500, till: 60, lasts: 0.9, gain: 0.5, filter: "lowpass" });
  },
  mark: (to, at) => {
    tone(to, at, { from: 660, lasts: 0.12, gain: 0.35, wave: "triangle" });
    tone(to, at + 0.16, { from: 495, lasts: 0.3, gain: 0.35, wave: "triangle" });
  },
  "countdown-end": (to, at) => {
    for (const late of [0, 0.55, 1.1]) bell(to, at + late, { from: 196, lasts: 1.2, gain: 0.55 });
  },
  "time-up": (to, at) => {
    for (const late of [0, 0.2, 0.4]) tone(to, at + late, { from: 740, lasts: 0.16, gain: 0.35, wave: "triangle" });
  },
};

/** Bells, blades and a gong. @type {Set} */
const steel = {
  sealed: (to, at) => bell(to, at, { from: 320, lasts: 0.25, gain: 0.5 }),
  "all-sealed": (to, at) => {
    for (const [late, from] of [
      [0, 587],
      [0.12, 880],
    ])
      bell(to, at + late, { from, lasts: 0.6, gain: 0.4 });
  },
  roll: (to, at, { lasts }) =>
    rolled(
      (beat, part) => noise(to, beat, { from: 5200, lasts: 0.09, gain: 0.08 + 0.32 * part, filter: "highpass" }),
      at,
      lasts,
    ),
  turn: (to, at) => {
    noise(to, at, { from: 2400, till: 7000, lasts: 0.22, gain: 0.4, attack: 0.1, q: 2 });
    bell(to, at + 0.18, { from: 700, lasts: 0.25, gain: 0.4 });
  },
  dice: (to, at) => {
    for (const late of [0, 0.07, 0.17]) bell(to, at + late, { from: 1760, lasts: 0.14, gain: 0.35 });
  },
  strike: (to, at) => {
    noise(to, at, { from: 7000, till: 1500, lasts: 0.35, gain: 0.5, q: 1.5 });
    bell(to, at, { from: 1244, lasts: 0.7, gain: 0.45 });
  },
  verdict: (to, at, { won }) => {
    (won ? [392, 523, 784] : [311, 294]).forEach((from, nth) =>
      bell(to, at + nth * 0.14, { from, lasts: 1.1, gain: 0.42 }),
    );
  },
  term: (to, at, { nth }) => bell(to, at, { from: 523 * 1.07 ** Math.min(nth, 9), lasts: 0.22, gain: 0.4 }),
  loss: (to, at, { nth }) => {
    noise(to, at, { from: 4200, till: 1600, lasts: 0.1, gain: 0.4, q: 3 });
    bell(to, at, { from: 415 * 0.95 ** Math.min(nth, 12), lasts: 0.3, gain: 0.4 });
  },
  "knock-out": (to, at) => {
    bell(to, at, { from: 82, lasts: 2.2, gain: 0.8 });
    noise(to, at, { from: 900, till: 90, lasts: 1.1, gain: 0.35, filter: "lowpass" });
  },
  mark: (to, at) => bell(to, at, { from: 988, lasts: 0.5, gain: 0.4 }),
  "countdown-end": (to, at) => {
    for (const late of [0, 0.7, 1.4]) bell(to, at + late, { from: 131, lasts: 1.6, gain: 0.6 });
  },
  "time-up": (to, at) => {
    for (const late of [0, 0.16, 0.32, 0.48]) bell(to, at + late, { from: 1175, lasts: 0.2, gain: 0.4 });
  },
};

/** An arcade machine. @type {Set} */
const arcade = {
  sealed: (to, at) => tone(to, at, { from: 220, till: 110, lasts: 0.1, gain: 0.25, wave: "square" }),
  "all-sealed": (to, at) => {
    for (const [late, from] of [
      [0, 523],
      [0.08, 659],
      [0.16, 784],
    ])
      tone(to, at + late, { from, lasts: 0.09, gain: 0.22, wave: "square" });
  },
  roll: (to, at, { lasts }) =>
    rolled(
      (beat, part) => tone(to, beat, { from: 110 + 220 * part, lasts: 0.06, gain: 0.06 + 0.16 * part, wave: "square" }),
      at,
      lasts,
    ),
  turn: (to, at) => tone(to, at, { from: 180, till: 900, lasts: 0.16, gain: 0.22, wave: "square" }),
  dice: (to, at) => {
    for (const late of [0, 0.07, 0.15])
      tone(to, at + late, { from: 196, till: 147, lasts: 0.06, gain: 0.24, wave: "square" });
  },
  strike: (to, at) => {
    tone(to, at, { from: 1500, till: 90, lasts: 0.32, gain: 0.25, wave: "sawtooth" });
    noise(to, at, { from: 2500, till: 400, lasts: 0.2, gain: 0.3 });
  },
  verdict: (to, at, { won }) => {
    (won ? [523, 659, 784, 1047] : [392, 370]).forEach((from, nth) =>
      tone(to, at + nth * 0.1, { from, lasts: 0.2, gain: 0.22, wave: "square" }),
    );
  },
  term: (to, at, { nth }) =>
    tone(to, at, { from: 660 * 1.06 ** Math.min(nth, 10), lasts: 0.08, gain: 0.22, wave: "square" }),
  loss: (to, at, { nth }) =>
    tone(to, at, { from: 330 * 0.95 ** Math.min(nth, 12), till: 80, lasts: 0.16, gain: 0.25, wave: "square" }),
  "knock-out": (to, at) => {
    [330, 294, 262, 196, 98].forEach((from, nth) =>
      tone(to, at + nth * 0.14, { from, lasts: nth === 4 ? 0.7 : 0.16, gain: 0.25, wave: "square" }),
    );
  },
  mark: (to, at) => {
    for (const [late, from] of [
      [0, 784],
      [0.09, 587],
    ])
      tone(to, at + late, { from, lasts: 0.1, gain: 0.22, wave: "square" });
  },
  "countdown-end": (to, at) => {
    for (let nth = 0; nth < 6; nth++)
      tone(to, at + nth * 0.2, { from: nth % 2 ? 392 : 523, lasts: 0.19, gain: 0.22, wave: "square" });
  },
  "time-up": (to, at) => {
    for (const late of [0, 0.15, 0.3]) tone(to, at + late, { from: 988, lasts: 0.1, gain: 0.22, wave: "square" });
  },
};

/** @type {Record<string, Set>} */
export const SETS = { wood, steel, arcade };

/**
 * The set of this name, or the first one.
 * @param {string} [name]
 */
export const setOf = (name = "") => SETS[name] ?? wood;
