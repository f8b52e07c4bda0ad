/** What a reader signals, in words. */

import { knows, t } from "./texts.js";

/** Signals that nothing has to be done about. */
const FINE = ["empty", "clear", "sealed", "taken-back", "counted", "waits"];

/**
 * Whether something is the matter with what lies on the reader.
 * @param {string} signal
 */
export const isBad = (signal) => !FINE.includes(signal);

/** The time of day as a clock shows it. @param {number} at ms since the Unix epoch */
export const clockTime = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * What is said of what lies on a reader.
 * @param {string} signal
 * @param {number|null} [seen] until when it saw something, where that is that nothing is seen
 */
export const liesWords = (signal, seen) => (signal === "nothing-seen" && typeof seen === "number" ? t("signal.nothing-seen-since", { time: clockTime(seen) }) : signalWords(signal));

/**
 * What is said of it.
 * @param {string} signal
 * @param {string} [why] the hub's own words, where it has some
 */
export const signalWords = (signal, why = "") => why || (knows(`signal.${signal}`) ? t(`signal.${signal}`) : signal);
