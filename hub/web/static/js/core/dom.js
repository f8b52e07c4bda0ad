// @ts-nocheck
/**
 * Elements without a framework: `h` says what is to be there, `morph` brings a page to it and changes
 * what differs, so that a card turns over instead of being replaced, and the focus stays where it is.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {{tag: string, space: string|null, key: string|null, attributes: Map<string, string>, children: Array<Drawn|string>}} Drawn
 */

/**
 * An element as it is to be. Properties become attributes; `false`, `null` and `undefined` leave them out.
 * @param {string} tag
 * @param {Object<string, unknown>} [attributes] `key` names the element among its siblings
 * @param {...(Drawn|string|number|null|false|undefined|Array)} children
 * @returns {Drawn}
 */
export const h = (tag, attributes = {}, ...children) => drawing(tag, null, attributes, children);

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Object<string, unknown>} [attributes]
 * @param {...(Drawn|string|number|null|false|undefined|Array)} children
 * @returns {Drawn}
 */
export const s = (tag, attributes = {}, ...children) => drawing(tag, SVG, attributes, children);

function drawing(tag, space, given, inside) {
  const attributes = new Map();
  for (const [name, value] of Object.entries(given)) {
    if (value === false || value === null || value === undefined) continue;
    attributes.set(name === "key" ? "data-key" : name, value === true ? "" : String(value));
  }
  const children = [];
  for (const child of inside.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    children.push(typeof child === "object" ? child : String(child));
  }
  return { tag, space, key: attributes.get("data-key") ?? null, attributes, children };
}

/**
 * Make the element, or the text, that was drawn.
 * @param {Drawn|string} want
 * @returns {Node}
 */
export function make(want) {
  if (typeof want === "string") return document.createTextNode(want);
  const element = want.space ? document.createElementNS(want.space, want.tag) : document.createElement(want.tag);
  for (const [name, value] of want.attributes) element.setAttribute(name, value);
  element.append(...want.children.map(make));
  return element;
}

const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);

function alike(have, want) {
  if (typeof want === "string") return have.nodeType === Node.TEXT_NODE;
  return have.localName === want.tag && have.namespaceURI === (want.space ?? document.documentElement.namespaceURI) && keyOf(have) === want.key;
}

/**
 * Make the children of `root` those of `want`.
 * @param {Element} root
 * @param {Drawn} want
 */
export function morph(root, want) {
  let keyed = null;
  let cursor = root.firstChild;
  for (const next of want.children) {
    const key = next.key ?? null;
    let have = cursor;
    if (key !== null && keyOf(cursor) !== key) {
      keyed ??= new Map([...root.children].filter(keyOf).map((child) => [keyOf(child), child]));
      have = keyed.get(key) ?? null;
    }
    if (!have || !alike(have, next)) {
      root.insertBefore(make(next), cursor);
      continue;
    }
    if (have === cursor) cursor = cursor.nextSibling;
    else root.insertBefore(have, cursor);
    update(have, next);
  }
  while (cursor) {
    const gone = cursor;
    cursor = cursor.nextSibling;
    gone.remove();
  }
}

/**
 * Make an element, or a text, what was drawn.
 * @param {Node} have
 * @param {Drawn|string} want
 */
export function update(have, want) {
  if (typeof want === "string") {
    if (have.data !== want) have.data = want;
    return;
  }
  for (const name of have.getAttributeNames()) {
    if (!want.attributes.has(name)) have.removeAttribute(name);
  }
  for (const [name, value] of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
  morph(have, want);
}
