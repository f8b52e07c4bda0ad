/**
 * Elements without a framework: `h` makes them, `morph` brings a page to what was made while it
 * keeps the elements that stay, so that a card turns over instead of being replaced, and the focus
 * stays where it is.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. Properties become attributes; `false`, `null` and `undefined` leave them out.
 * @param {string} tag
 * @param {Object<string, unknown>} [attributes] `key` names the element among its siblings
 * @param {...(Node|string|number|null|false|undefined|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Object<string, unknown>} [attributes]
 * @param {...(Node|string|number|null|false|undefined|Array)} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name === "key" ? "data-key" : name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);
const alike = (have, want) => have.nodeName === want.nodeName && keyOf(have) === keyOf(want);

/**
 * Make the children of `root` those of `want`.
 * @param {Element} root
 * @param {Element} want
 */
export function morph(root, want) {
  const keyed = new Map();
  for (const child of root.children) if (keyOf(child)) keyed.set(keyOf(child), child);
  let cursor = root.firstChild;
  for (const next of [...want.childNodes]) {
    const key = keyOf(next);
    let have = key ? keyed.get(key) : cursor;
    if (have && !alike(have, next)) have = undefined;
    if (!have) {
      root.insertBefore(next, cursor);
    } else {
      if (have === cursor) cursor = cursor.nextSibling;
      else root.insertBefore(have, cursor);
      update(have, next);
    }
  }
  while (cursor) {
    const gone = cursor;
    cursor = cursor.nextSibling;
    gone.remove();
  }
}

function update(have, want) {
  if (!(have instanceof Element)) {
    if (have.data !== want.data) have.data = want.data;
    return;
  }
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name)) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
  morph(have, want);
}
