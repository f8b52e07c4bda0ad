import { readdir, readFile } from "node:fs/promises";

/**
 * A family's overrules, as its rules define them: each one's `what` and the keys of its fields.
 * @param {string} family
 */
export async function overrulesOf(family) {
  const folder = new URL(`../../hub/games/${family}/rules/overrules/`, import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".py"));
  const modules = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  const defined = /^class \w+\(Holds(?:Of)?, .*tag="([a-z-]+)".*$([\s\S]*?)(?=^\S)/gm;
  return [...modules.join("\n").matchAll(defined)].map(([, what, body]) => ({
    what,
    fields: [...body.matchAll(/^ {4}(\w+): (?!ClassVar)/gm)].map(([, field]) => field),
  }));
}
