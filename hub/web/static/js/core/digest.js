/** The digest of a seal (docs/connect/log.md). */

import { sha256 } from "./sha256.js";

const DOMAIN = "facedown/seal/2";
/** @type {Record<string, string>} */
const KINDS = { committed: "commit", "set-beside": "beside", "chance-sealed": "chance" };

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/**
 * The digest that a card had when its seal was made.
 * @param {{log: string, table: string}} where
 * @param {import("./wire").Committed|import("./wire").SetBeside|import("./wire").ChanceSealed} line
 *   the log line that sealed it
 * @param {{nonce: string, choice: string}} opening
 * @returns {string} in hex
 */
export function sealDigest(where, line, opening) {
  const { scene, turn, phase, actor = "", origin = "hub" } = /** @type {import("./wire").Committed} */ (line);
  const place = [where.log, where.table, scene, turn, phase, actor, KINDS[line.type], origin];
  const utf8 = new TextEncoder();
  const fields = [
    ...place.map((field) => utf8.encode(String(field))),
    unhex(opening.nonce),
    utf8.encode(opening.choice),
  ];
  const bytes = [...utf8.encode(DOMAIN)];
  for (const field of fields) {
    const framed = new Uint8Array(4 + field.length);
    new DataView(framed.buffer).setUint32(0, field.length);
    framed.set(field, 4);
    bytes.push(...framed);
  }
  return sha256(Uint8Array.from(bytes));
}
