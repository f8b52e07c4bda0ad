import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

const ROOT = "hub/web/static/js";

const scripts = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((each) => {
    const path = join(folder, each.name);
    return each.isDirectory() ? scripts(path) : path.endsWith(".js") ? [path] : [];
  });

/** A script's path as it is served: a family's pages lie in its own folder. */
const served = (path) =>
  path.startsWith("hub/games/") ? path.replace(/^hub\/games\/([^/]+)\/pages/, "games/$1") : relative(ROOT, path);
const target = (path, to) =>
  to === "#games" ? "games/index.js" : to.startsWith("#") ? to.slice(1) : served(normalize(join(dirname(path), to)));
const all = [
  ...scripts(ROOT),
  ...readdirSync("hub/games").flatMap((name) =>
    existsSync(`hub/games/${name}/pages`) ? scripts(`hub/games/${name}/pages`) : [],
  ),
];
const imports = all.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/from "([.#][^"]+)"/g)].map(([, to]) => ({
    from: served(path),
    to: target(path, to),
  })),
);

/** Each script with those that it loads, at once or later; types in comments do not count. */
const loads = all.map((path) => {
  const texts = readFileSync(path, "utf8")
    .replace(/\/\*\*.*?\*\//gs, "")
    .matchAll(/(?:from |\bimport |\bimport\()"([.#][^"]+)"/g);
  return [served(path), [...texts].map(([, to]) => target(path, to))];
});

/** The first circle that is found from a script along what it loads; null without one. */
function circle(from, loaded, way = [], done = new Set()) {
  if (way.includes(from)) return [...way.slice(way.indexOf(from)), from];
  if (done.has(from)) return null;
  for (const to of loaded.get(from) ?? []) {
    const found = circle(to, loaded, [...way, from], done);
    if (found) return found;
  }
  done.add(from);
  return null;
}

const faults = (fits) => imports.filter(fits).map(({ from, to }) => `${from} imports ${to}`);

test("neither core nor a page names a family of rules", () => {
  const names = ({ from, to }) => !from.startsWith("games/") && /^games\/.+\//.test(to);
  assert.deepEqual(faults(names), []);
});

test("core imports no page; a family imports neither a page nor another family", () => {
  assert.deepEqual(
    faults(({ from, to }) => from.startsWith("core/") && to.startsWith("pages/")),
    [],
  );
  const family = (path) => path.split("/").slice(0, 2).join("/");
  const beyond = ({ from, to }) => from.startsWith("games/") && !to.startsWith("core/") && family(to) !== family(from);
  assert.deepEqual(faults(beyond), []);
});

test("no scripts load each other in a circle, at once or later", () => {
  const loaded = new Map(loads);
  assert.deepEqual(all.map((path) => circle(served(path), loaded)).filter(Boolean), []);
  assert.deepEqual(
    circle(
      "a",
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
      ]),
    ),
    ["b", "c", "b"],
  );
});
