// Elements described as values, and the smallest change that makes a part of the page like them.
// What stays stays: focus, scrolling, running transitions. Lists that change places have keys.

/**
 * @typedef {{ tag: string, props: Props, children: VNode[] }} VElement
 * @typedef {string | VElement} VNode
 * @typedef {VNode | number | false | null | undefined | Children} Child
 * @typedef {{ readonly length: number, [place: number]: Child }} Children a list
 * @typedef {Record<string, any>} Props
 * @typedef {Node & { made?: VElement, heard?: Record<string, (event: any) => void> }} Kept
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. Props that begin with `on` are listeners (`onclick`), with `.` properties (`.value`); `class` takes an object
 * or a list as well, `style` an object of CSS properties; `key` tells children of one parent apart. All others are
 * attributes: true is there, false and null are not.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {VElement}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children) };
}

/** @param {Child[]} children @returns {VNode[]} */
function flat(children) {
  /** @type {VNode[]} */
  const all = [];
  for (const child of children) {
    if (Array.isArray(child)) all.push(...flat(child));
    else if (typeof child === "object" && child && "tag" in child) all.push(child);
    else if (child || child === 0 || child === "") all.push(String(child));
  }
  return all;
}

/**
 * Makes the children of an element like these.
 * @param {Element} parent
 * @param {...Child} children
 */
export function render(parent, ...children) {
  patchChildren(parent, flat(children));
}

/** @param {Element} parent @param {VNode[]} wanted */
function patchChildren(parent, wanted) {
  /** @type {Map<any, Kept>} */
  const keyed = new Map();
  for (const node of parent.childNodes) {
    const key = /** @type {Kept} */ (node).made?.props.key;
    if (key !== undefined) keyed.set(key, node);
  }
  /** @type {Kept | null} */
  let at = parent.firstChild;
  for (const child of wanted) {
    const key = typeof child === "string" ? undefined : child.props.key;
    /** @type {Kept | null | undefined} */
    let node = key === undefined ? at : keyed.get(key);
    if (node && key === undefined && node.made?.props.key !== undefined) node = null;
    if (!node || !fits(node, child)) {
      // It comes into the page with everything it needs.
      node = make(parent, child);
      patch(node, child);
      parent.insertBefore(node, at);
      continue;
    }
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
    patch(node, child);
  }
  while (at) {
    const next = at.nextSibling;
    at.parentNode?.removeChild(at);
    at = next;
  }
}

/** @param {Kept} node @param {VNode} child */
function fits(node, child) {
  return typeof child === "string" ? node.nodeType === 3 : node.made?.tag === child.tag;
}

/** @param {Element} parent @param {VNode} child @returns {Kept} */
function make(parent, child) {
  if (typeof child === "string") return document.createTextNode(child);
  const svg = child.tag === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  /** @type {Kept} */
  const node = svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  node.made = { tag: child.tag, props: {}, children: [] };
  return node;
}

/** @param {Kept} node @param {VNode} child */
function patch(node, child) {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = /** @type {Element & Kept} */ (node);
  const before = element.made?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in child.props)) setProp(element, name, null);
  // Children first: the value of a list of choices is one of them.
  // Custom elements see to their own, and so does who says so.
  if (!child.props.own && !child.tag.includes("-")) patchChildren(element, child.children);
  for (const [name, value] of Object.entries(child.props)) {
    if (before[name] !== value || name === ".value" || name === ".checked") setProp(element, name, value);
  }
  element.made = child;
}

/** @param {any} element @param {string} name @param {any} value */
function setProp(element, name, value) {
  if (name === "key" || name === "own") return;
  if (name.startsWith("on")) return listen(element, name.slice(2), value);
  if (name.startsWith(".")) {
    if (element[name.slice(1)] !== value) element[name.slice(1)] = value;
    return;
  }
  if (name === "style") {
    const before = element.made?.props.style ?? {};
    for (const key of Object.keys(before)) if (!value || !(key in value)) element.style.removeProperty(key);
    for (const [key, text] of Object.entries(value ?? {})) element.style.setProperty(key, String(text));
    return;
  }
  if (name === "class") value = classes(value);
  if (value === null || value === undefined || value === false || (name === "class" && !value)) {
    element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value === true ? "" : value)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {any} value @returns {string} */
function classes(value) {
  if (Array.isArray(value)) return value.map(classes).filter(Boolean).join(" ");
  if (value && typeof value === "object") return Object.keys(value).filter((name) => value[name]).join(" ");
  return value ? String(value) : "";
}

/** @param {any} element @param {string} name @param {((event: any) => void) | null} value */
function listen(element, name, value) {
  element.heard ??= {};
  if (!(name in element.heard)) element.addEventListener(name, (/** @type {any} */ event) => element.heard[name]?.(event));
  element.heard[name] = value;
}
