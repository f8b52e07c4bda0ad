/**
 * Reads pairs of scripts as JSON, by name; writes the names of those that are not the same to
 * TypeScript, which leaves comments and space out.
 */

import { readFileSync } from "node:fs";
import ts from "typescript";

/** @type {Record<string, [string, string]>} */
const pairs = JSON.parse(readFileSync(0, "utf-8"));

/** @param {string} text */
function shape(text) {
  const file = ts.createSourceFile("a.js", text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  /** @type {unknown[]} */
  const found = [];
  /** @param {any} node */
  const add = (node) => {
    found.push(node.kind, node.text !== undefined && node !== file ? node.text : "", node.operator);
    found.push(node.flags & ts.NodeFlags.BlockScoped);
    ts.forEachChild(node, add);
    found.push("end");
  };
  add(file);
  return JSON.stringify(found);
}

const differ = Object.entries(pairs).filter(([, [one, other]]) => shape(one) !== shape(other));
console.log(JSON.stringify(differ.map(([name]) => name)));
