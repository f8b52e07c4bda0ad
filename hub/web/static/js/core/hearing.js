/** Sound comes to a page after all that is seen: its scripts are fetched when the page has been painted. */

/** @typedef {import("./types").Frames["sound"]} Loud */

/** @type {import("../sound/sounds.js").Sounds|null} */
let sounds = null;
/** How loud the table is as long as the hub says nothing else. @type {Loud} */
const AS_IT_IS = { type: "sound", volume: 80, muted: false };
let loud = AS_IT_IS;

/** Fetch what sounds, after the first paint. */
export const hearSoon = () => void requestAnimationFrame(() => setTimeout(async () => {
  const { Sounds } = await import("../sound/sounds.js");
  sounds = new Sounds();
  sounds.turnTo(loud);
}));

/** The stream begins anew. */
export const hearAnew = () => hear(AS_IT_IS, null, null);

/**
 * A frame that was told to the page, with the states before it and after it.
 * @param {import("./types").Frame} frame
 * @param {import("./types").State|null} before
 * @param {import("./types").State|null} after
 */
export function hear(frame, before, after) {
  if (frame.type === "sound") {
    loud = frame;
    sounds?.turnTo(frame);
  } else if (frame.type === "event") sounds?.happened(frame.line);
  else if (after) sounds?.told(before, after);
}
