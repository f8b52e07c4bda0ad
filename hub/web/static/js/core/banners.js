/** Banners above everything else: a lost connection, a stalled table, and the hub's problems. */

import { h } from "./dom.js";
import { t } from "./texts.js";

/** Failures of optional services, shown calmly. A broken journal or a full disk stops the table. */
const CALM = /^(broker|commands|output)-/;

/**
 * @param {import("./types").State|null} state
 * @param {import("./types").Status} status of the connection
 * @param {string[]} [hindrances] the hub's reports to the GM
 */
export function banners(state, status, hindrances = []) {
  const lost = status !== "open" && (status !== "opening" || state);
  const words = t(status === "locked" ? "connection.locked" : "connection.lost");
  const why = hindrances.filter((each) => !CALM.test(each));
  /**
   * @param {string} key
   * @param {string} text
   */
  const banner = (key, text) => h("p", { class: "connection", role: "alert", key }, text);
  return [
    lost && banner("connection", words),
    state?.stalled && !why.length && banner("standing", t("standing")),
    ...why.map((each) => banner(each, t(`hindrance.${each}`))),
    ...hindrances
      .filter((each) => CALM.test(each))
      .map((each) => h("p", { class: "hindrance", role: "status", key: each }, t(`hindrance.${each}`))),
  ];
}
