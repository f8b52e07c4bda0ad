/** What a reader signals, in words. */

import { knows, t } from "./texts.js";

/** Signals that nothing has to be done about. */
const FINE = ["empty", "clear", "sealed", "taken-back", "counted", "waits"];

/**
 * Whether something is the matter with what lies on the reader.
 * @param {string} signal
 */
export const isBad = (signal) => !FINE.includes(signal);

/**
 * What is said of it.
 * @param {string} signal
 * @param {string} [why] the hub's own words, where it has some
 */
export const signalWords = (signal, why = "") => why || (knows(`signal.${signal}`) ? t(`signal.${signal}`) : signal);
