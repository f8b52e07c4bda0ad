/** Loads the sound after the first paint: what players see has priority. */

/** @typedef {import("./types").Frames["sound"]} Loud */

/** @type {import("../sound/sounds.js").Sounds|null} */
let sounds = null;
/** The volume until the hub sends one. @type {Loud} */
const AS_IT_IS = { type: "sound", volume: 80, muted: false };
let loud = AS_IT_IS;

/** Load the sounds after the first paint. */
export const hearSoon = () =>
  void requestAnimationFrame(() =>
    setTimeout(async () => {
      const { Sounds } = await import("../sound/sounds.js");
      sounds = new Sounds();
      sounds.turnTo(loud);
    }),
  );

/** Reset the volume when the stream starts over. */
export const hearAnew = () => hear(AS_IT_IS, null, null);

/**
 * Handle a frame that was told to the page, with the states before and after it.
 * @param {import("./types").Frame} frame
 * @param {import("./types").State|null} before
 * @param {import("./types").State|null} after
 */
export function hear(frame, before, after) {
  if (frame.type === "sound") {
    loud = frame;
    sounds?.turnTo(frame);
  } else if (frame.type === "event") sounds?.player?.happened(frame.line);
  else if (after) sounds?.player?.told(before, after);
}
