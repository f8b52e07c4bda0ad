/** The parts of a browser that the pages' pure modules need. Import it before them. */

import { webcrypto } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { FAMILIES } from "./games.js";

class Store extends Map {
  getItem(name) {
    return super.get(name) ?? null;
  }

  setItem(name, value) {
    super.set(name, String(value));
  }

  removeItem(name) {
    super.delete(name);
  }
}

/** Return a catalogue as the hub serves it below `texts/`: the common texts and each family's. */
const catalogue = async ({ pathname }) => {
  const name = pathname.split("/texts/")[1].replace(/^(?=[a-z]+\.json$)/, "pages.");
  const folders = ["hub/kernel/catalogues", ...FAMILIES.map((family) => `hub/games/${family}/catalogues`)];
  const files = folders.map((folder) => new URL(`../../${folder}/${name}`, import.meta.url)).filter(existsSync);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return Object.assign({}, ...texts.map((text) => JSON.parse(text)));
};

const classes = new Set();
const given = {
  crypto: webcrypto,
  location: { pathname: "/page", search: "" },
  navigator: { languages: ["en"] },
  localStorage: new Store(),
  sessionStorage: new Store(),
  document: {
    hidden: false,
    documentElement: {
      dataset: { languages: "en de" },
      lang: "en",
      classList: {
        add: (name) => classes.add(name),
        remove: (name) => classes.delete(name),
        contains: (name) => classes.has(name),
      },
      style: { setProperty: () => {} },
    },
    addEventListener: () => {},
    getAnimations: () => [],
    getElementById: () => null,
    querySelector: () => null,
  },
  addEventListener: () => {},
  dispatchEvent: () => true,
  fetch: async (url) => ({ ok: true, json: async () => catalogue(url) }),
};

for (const [name, value] of Object.entries(given)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** A module's intervals never stop; unref them, so that the test process can end. */
const { setInterval } = globalThis;
globalThis.setInterval = (...args) => setInterval(...args).unref();
