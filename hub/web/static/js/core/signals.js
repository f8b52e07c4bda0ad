/** A reader's signals in words. */

import { knows, t } from "./texts.js";

/** The signal for a card that still lies there from the step before. */
export const LEFT = "left";
/** Signals that need no action. */
const FINE = ["empty", "clear", "sealed", "taken-back", "counted", "waits"];

/**
 * Whether a signal reports a problem with the card on the reader.
 * @param {string} signal
 */
export const isBad = (signal) => !FINE.includes(signal);

/** The time of day. @param {number} at ms since the Unix epoch */
export const clockTime = (at) =>
  new Date(at).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });

/**
 * A signal about a reader's card in words.
 * @param {string} signal
 * @param {number|null} [seen] when the reader last worked, if it sees nothing now
 */
export const liesWords = (signal, seen) =>
  signal === "nothing-seen" && typeof seen === "number"
    ? t("signal.nothing-seen-since", { time: clockTime(seen) })
    : signalWords(signal);

/**
 * A signal in words.
 * @param {string} signal
 * @param {string} [why] the hub's own words, if it has some
 */
export const signalWords = (signal, why = "") => why || (knows(`signal.${signal}`) ? t(`signal.${signal}`) : signal);
