/**
 * The lights of the virtual table: each seat's lamps, and a clock. The hub sends the driven colour
 * of each light; the page only draws them.
 */

import { h, s } from "../../core/dom.js";
import { sentence, t } from "../../core/texts.js";

/** @typedef {import("../../core/types").Drawn} Drawn */
/** @typedef {{word: string, colours: string[], past: Array<{at: number, colours: string[]}>}} Chain */

/**
 * Perceived brightness is not linear: a light driven at a tenth looks nearly as bright as at full
 * power.
 */
const GAMMA = 3;
/** The longest rhythm (ms): with reduced motion a light shows its brightest value within it. */
const RHYTHM_MS = 4200;
/** Radii of a light's glow, body and core; and the distance between lights. */
const GLOW = [2.3, 1.6, 1, 0.5];
const APART = 3.6;
const RING = 13.2;

const CLOCK = "clock";
/** @param {string} seat */
const seatKey = (seat) => `seat ${seat}`;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Lights {
  /**
   * @param {HTMLElement} root element they are drawn in
   * @param {(message: Record<string, unknown>) => boolean} send
   */
  constructor(root, send) {
    this.root = root;
    this.send = send;
    /** The clock's subject; null without a clock. @type {string|null} */
    this.shows = null;
    /** @type {Map<string, Chain>} */
    this.chains = new Map();
    document.addEventListener("visibilitychange", () => this.ask());
    setInterval(() => calm.matches && this.paint(), 1000);
  }

  /** Follow the lights while the page is visible. */
  ask() {
    this.send({ do: "lights", on: !document.hidden });
  }

  /** Forget the lights when the connection is lost. */
  forget() {
    this.chains.clear();
    this.shows = null;
  }

  /**
   * Store a frame; return whether the page must be redrawn.
   * @param {import("../../core/types").Frames["lights"]} frame
   */
  take({ seats, clock }) {
    const before = this.said();
    const told = seats.map(({ seat, word, colours }) => this.chain(seatKey(seat), word, colours));
    if (clock) told.push(this.chain(CLOCK, clock.mood, clock.colours));
    this.chains = new Map(told);
    this.shows = clock?.shows ?? null;
    return this.said() !== before;
  }

  said() {
    return JSON.stringify([
      this.shows,
      ...[...this.chains].map(([key, { word, colours }]) => [key, word, colours.length]),
    ]);
  }

  /**
   * @param {string} key
   * @param {string} word
   * @param {string} written
   * @returns {[string, Chain]}
   */
  chain(key, word, written) {
    const colours = written.match(/.{6}/g) ?? [];
    const last = this.chains.get(key);
    const past = last && last.word === word && last.colours.length === colours.length ? last.past : [];
    return [key, { word, colours, past: calm.matches ? [...past, { at: performance.now(), colours }] : [] }];
  }

  /** Update the colours of the drawn lights. */
  paint() {
    for (const drawn of this.root.querySelectorAll("[data-lights]")) {
      const chain = this.chains.get(drawn.getAttribute("data-lights") ?? "");
      const colours = chain ? (chain.past.length ? brightest(chain) : chain.colours) : [];
      drawn.querySelectorAll(".light").forEach((light, nth) => shine(light, colours[nth] ?? "000000"));
    }
  }

  /**
   * A seat's lamps.
   * @param {string} seat
   */
  lamps(seat) {
    const chain = this.chains.get(seatKey(seat));
    if (!chain) return null;
    const count = Math.max(chain.colours.length, 8);
    const lights = Array.from({ length: count }, (_, nth) => light(APART * (nth + 0.5), 2.3));
    const word = t(`lamps.${chain.word.replace(" ", "-")}`);
    return shining("lamps", seatKey(seat), t("lamps", { word }), word, `0 0 ${APART * count} 4.6`, lights);
  }

  /** The clock; null if there is none. */
  clock() {
    const chain = this.chains.get(CLOCK);
    if (!chain || !this.shows) return null;
    const count = Math.max(chain.colours.length, 24);
    const lights = Array.from({ length: count }, (_, nth) => {
      const turn = (2 * Math.PI * nth) / count;
      return light(RING * Math.sin(turn), -RING * Math.cos(turn));
    });
    const [what, word] = [t(`lights.shows.${this.shows}`), t(`lights.mood-${chain.word}`)];
    return shining(
      "wall-clock",
      CLOCK,
      t("lights", { what, word }),
      `${sentence(what)}: ${word}`,
      "-16 -16 32 32",
      lights,
    );
  }
}

/**
 * @param {string} kind
 * @param {string} key
 * @param {string} name
 * @param {string} word
 * @param {string} viewBox
 * @param {Drawn[]} lights
 */
const shining = (kind, key, name, word, viewBox, lights) =>
  h(
    "div",
    { class: kind, key: kind, role: "img", "aria-label": name, title: name, "data-lights": key },
    s("svg", { viewBox, "aria-hidden": "true" }, lights),
    h("small", {}, word),
  );

/**
 * @param {number} x
 * @param {number} y
 */
const light = (x, y) => {
  const [cx, cy] = [x.toFixed(2), y.toFixed(2)];
  const glow = GLOW.map((r) => s("circle", { cx, cy, r }));
  return s("g", {}, s("circle", { class: "lens", cx, cy, r: 1 }), s("g", { class: "light" }, glow));
};

/** The current colour of each light. @type {WeakMap<Element, string>} */
const shines = new WeakMap();

/**
 * @param {Element} light
 * @param {string} colour six hexadecimal digits, as the light is driven
 */
function shine(light, colour) {
  if (shines.get(light) === colour) return;
  shines.set(light, colour);
  const parts = partsOf(colour);
  const most = Math.max(...parts);
  light.setAttribute("fill", `rgb(${parts.map((part) => Math.round((255 * part) / Math.max(most, 1))).join()})`);
  light.setAttribute("opacity", ((most / 255) ** (1 / GAMMA)).toFixed(3));
}

/** @param {string} colour */
const partsOf = (colour) => [0, 2, 4].map((at) => parseInt(colour.slice(at, at + 2), 16));

/**
 * Each light's brightest value within the last rhythm.
 * @param {Chain} chain
 */
function brightest(chain) {
  const since = performance.now() - RHYTHM_MS;
  // An earlier value lasts until the next one.
  const first = chain.past.findLastIndex(({ at }) => at <= since);
  chain.past.splice(0, Math.max(0, first));
  /** @param {string} colour */
  const sum = (colour) => partsOf(colour).reduce((all, one) => all + one);
  return chain.colours.map((_, nth) =>
    chain.past.map(({ colours }) => colours[nth]).reduce((best, one) => (sum(one) > sum(best) ? one : best)),
  );
}
