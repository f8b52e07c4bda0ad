/**
 * Synthesised building blocks of sounds: tones and noise with an envelope. There are no recordings.
 */

/** @typedef {{from: number, till?: number, lasts: number, gain: number, wave?: OscillatorType, attack?: number}} Tone */
/** @typedef {{from: number, till?: number, lasts: number, gain: number, filter?: BiquadFilterType, q?: number, attack?: number}} Noise */

const SILENT = 0.0001;
const NOISE_S = 1;

/** @type {WeakMap<BaseAudioContext, AudioBuffer>} */
const made = new WeakMap();

/**
 * A second of noise, the same each time.
 * @param {BaseAudioContext} context
 */
function noiseOf(context) {
  const known = made.get(context);
  if (known) return known;
  const buffer = new AudioBuffer({ length: context.sampleRate * NOISE_S, sampleRate: context.sampleRate });
  const data = buffer.getChannelData(0);
  let seed = 7;
  for (let at = 0; at < data.length; at++) {
    seed = (seed * 16807) % 2147483647;
    data[at] = seed / 1073741824 - 1;
  }
  made.set(context, buffer);
  return buffer;
}

/**
 * A volume envelope.
 * @param {AudioNode} to
 * @param {number} at seconds by the context's clock
 * @param {{lasts: number, gain: number, attack?: number}} how
 */
function swell(to, at, { lasts, gain, attack = 0.004 }) {
  const level = new GainNode(to.context, { gain: 0 });
  level.gain.setValueAtTime(SILENT, at);
  level.gain.exponentialRampToValueAtTime(gain, at + attack);
  level.gain.exponentialRampToValueAtTime(SILENT, at + lasts);
  level.connect(to);
  return level;
}

/**
 * A tone that glides from one pitch (Hz) to another.
 * @param {AudioNode} to
 * @param {number} at
 * @param {Tone} how
 */
export function tone(to, at, how) {
  const { from, till = from, lasts, wave = "sine" } = how;
  const source = new OscillatorNode(to.context, { type: wave, frequency: from });
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(till, at + lasts);
  source.connect(swell(to, at, how));
  source.start(at);
  source.stop(at + lasts);
}

/**
 * Noise through a filter that glides from one frequency (Hz) to another.
 * @param {AudioNode} to
 * @param {number} at
 * @param {Noise} how
 */
export function noise(to, at, how) {
  const { from, till = from, lasts, filter = "bandpass", q = 1 } = how;
  const source = new AudioBufferSourceNode(to.context, { buffer: noiseOf(to.context), loop: true });
  const shape = new BiquadFilterNode(to.context, { type: filter, frequency: from, Q: q });
  shape.frequency.setValueAtTime(from, at);
  shape.frequency.exponentialRampToValueAtTime(till, at + lasts);
  source.connect(shape).connect(swell(to, at, how));
  source.start(at);
  source.stop(at + lasts);
}

/**
 * A bell: a tone with inharmonic overtones.
 * @param {AudioNode} to
 * @param {number} at
 * @param {{from: number, lasts: number, gain: number}} how
 */
export function bell(to, at, { from, lasts, gain }) {
  for (const [times, part] of [
    [1, 0.55],
    [2.76, 0.25],
    [5.4, 0.12],
    [8.93, 0.05],
  ]) {
    tone(to, at, { from: from * times, lasts: lasts / Math.sqrt(times), gain: gain * part });
  }
}
