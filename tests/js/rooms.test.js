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
