/**
 * Elements without a framework: `h` describes the page, and `morph` changes only what differs. So a
 * card turns over instead of being replaced, and the focus is kept.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {import("./types").Drawn} Drawn */
/** @typedef {import("./types").Part} Part */

/** The element that a page is drawn into. */
export const pageRoot = () => /** @type {HTMLElement} */ (document.getElementById("root"));

/**
 * The event's target or its closest ancestor that matches a selector; null if there is none.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement|null}
 */
export const nearest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Describe an element. Properties become attributes; `false`, `null` and `undefined` omit them.
 * @param {string} tag
 * @param {Object<string, unknown>} [attributes] `key` names the element among its siblings
 * @param {...Part} children
 * @returns {Drawn}
 */
export const h = (tag, attributes = {}, ...children) => drawing(tag, null, attributes, children);

/**
 * Describe an SVG element.
 * @param {string} tag
 * @param {Object<string, unknown>} [attributes]
 * @param {...Part} children
 * @returns {Drawn}
 */
export const s = (tag, attributes = {}, ...children) => drawing(tag, SVG, attributes, children);

/**
 * @param {string} tag
 * @param {string|null} space
 * @param {Object<string, unknown>} given
 * @param {Part[]} inside
 * @returns {Drawn}
 */
function drawing(tag, space, given, inside) {
  const attributes = new Map();
  for (const [name, value] of Object.entries(given)) {
    if (value === false || value === null || value === undefined) continue;
    attributes.set(name === "key" ? "data-key" : name, value === true ? "" : String(value));
  }
  /** @type {Array<Drawn|string>} */
  const children = [];
  add(children, inside);
  return { tag, space, key: attributes.get("data-key") ?? null, attributes, children };
}

/**
 * @param {Array<Drawn|string>} children
 * @param {Part} part
 */
function add(children, part) {
  if (Array.isArray(part)) for (const each of part) add(children, each);
  else if (typeof part === "object" && part) children.push(part);
  else if (typeof part === "number" || (typeof part === "string" && part)) children.push(String(part));
}

/**
 * Create a described element.
 * @param {Drawn} want
 */
export function make(want) {
  const element = want.space ? document.createElementNS(want.space, want.tag) : document.createElement(want.tag);
  for (const [name, value] of want.attributes) element.setAttribute(name, value);
  element.append(...want.children.map(made));
  madeOf.set(element, want);
  return element;
}

/** @param {Drawn|string} want */
const made = (want) => (typeof want === "string" ? want : make(want));

/**
 * The description last applied to an element. Nothing else draws on a page.
 * @type {WeakMap<Node, Drawn>}
 */
const madeOf = new WeakMap();

/** @param {Node|null} node */
const keyOf = (node) => (node && madeOf.get(node)?.key) ?? null;

/**
 * @param {Node} have
 * @param {Drawn|string} want
 */
function alike(have, want) {
  if (typeof want === "string") return have instanceof Text;
  const was = madeOf.get(have);
  return was?.tag === want.tag && was.space === want.space && was.key === want.key;
}

/**
 * Make the children of `root` those of `want`. A moved element is laid out anew with everything in
 * it, so those that go are removed first, and those that stay are not moved past them.
 * @param {Element} root
 * @param {Drawn} want
 */
export function morph(root, want) {
  /** @type {Map<string|null, Element>|null} */
  let keyed = null;
  /** @type {Set<string|null>|null} */
  let wanted = null;
  /** @type {ChildNode|null} */
  let cursor = root.firstChild;
  for (const next of want.children) {
    const key = typeof next === "string" ? null : next.key;
    /** @type {ChildNode|null} */
    let have = cursor;
    if (key !== null && keyOf(cursor) !== key) {
      wanted ??= new Set(want.children.map((each) => (typeof each === "string" ? null : each.key)));
      while (cursor && keyOf(cursor) !== null && !wanted.has(keyOf(cursor))) cursor = removed(cursor);
      keyed ??= new Map([...root.children].filter(keyOf).map((child) => [keyOf(child), child]));
      have = keyed.get(key) ?? null;
    }
    if (!have || !alike(have, next)) {
      root.insertBefore(typeof next === "string" ? document.createTextNode(next) : make(next), cursor);
      continue;
    }
    if (have === cursor) cursor = cursor.nextSibling;
    else root.insertBefore(have, cursor);
    update(have, next);
  }
  while (cursor) cursor = removed(cursor);
}

/** Remove a node; return the one after it. @param {ChildNode} node */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * Cache a drawing as long as its arguments are equal; an unchanged one is not compared with the
 * page.
 * @template {unknown[]} From
 * @param {(...from: From) => Drawn} draw from JSON values, the first of which is the cache key
 */
export function kept(draw) {
  /** @type {Map<string, {said: string, drawn: Drawn}>} */
  const known = new Map();
  return (/** @type {From} */ ...from) => {
    const key = String(from[0]);
    const said = JSON.stringify([document.documentElement.lang, from]);
    const last = known.get(key);
    if (last?.said === said) return last.drawn;
    const drawn = draw(...from);
    known.set(key, { said, drawn });
    return drawn;
  };
}

/**
 * Cache a drawing for each list of strings, forever.
 * @template {string[]} From
 * @param {(...from: From) => Drawn} draw
 */
export function once(draw) {
  /** @type {Map<string, Drawn>} */
  const known = new Map();
  return (/** @type {From} */ ...from) => {
    const key = from.join(" ");
    const drawn = known.get(key) ?? draw(...from);
    known.set(key, drawn);
    return drawn;
  };
}

/**
 * Update an element or a text to its description.
 * @param {Node} have
 * @param {Drawn|string} want
 */
export function update(have, want) {
  if (typeof want === "string") {
    if (have instanceof Text && have.data !== want) have.data = want;
    return;
  }
  const was = madeOf.get(have);
  if (!(have instanceof Element) || !was || was === want) return;
  madeOf.set(have, want);
  for (const name of was.attributes.keys()) {
    if (!want.attributes.has(name)) have.removeAttribute(name);
  }
  for (const [name, value] of want.attributes) {
    if (was.attributes.get(name) !== value) have.setAttribute(name, value);
  }
  morph(have, want);
}
