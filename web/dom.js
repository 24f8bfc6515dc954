// A small virtual DOM: `h` describes elements, `render` patches the page to match.
// Unchanged nodes are kept, and with them focus, scroll positions and running transitions. Children that are reordered need keys.

/**
 * @typedef {{ tag: string, props: Props, children: VNode[] }} VElement
 * @typedef {string | VElement} VNode
 * @typedef {VNode | number | false | null | undefined | Children} Child
 * @typedef {{ readonly length: number, [index: number]: Child }} Children a list
 * @typedef {Record<string, any>} Props
 * @typedef {Node & { vnode?: VElement, listeners?: Record<string, (event: any) => void> }} ManagedNode a DOM node, the description it was patched to, and its listeners
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Describes an element. Props with prefix `on` are listeners (`onclick`), props with prefix `.` are properties (`.value`). `class` also takes
 * an object or a list. `style` takes an object of CSS properties. `key` identifies a child within its parent. With `own`, the element renders
 * its own children. All other props are attributes: `true` sets an empty attribute, `false` and `null` remove it.
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
 * Patches the children of an element to match these descriptions.
 * @param {Element} parent
 * @param {...Child} children
 */
export function render(parent, ...children) {
  patchChildren(parent, flat(children));
}

/** @param {Element} parent @param {VNode[]} wanted */
function patchChildren(parent, wanted) {
  /** @type {Map<any, ManagedNode>} */
  const keyed = new Map();
  const keys = new Set(wanted.map((child) => (typeof child === "string" ? undefined : child.props.key)));
  for (const node of [...parent.childNodes]) {
    const key = /** @type {ManagedNode} */ (node).vnode?.props.key;
    if (key === undefined) continue;
    // Removed first, so that the nodes after it need not move: a moved node loses the focus.
    if (!keys.has(key)) parent.removeChild(node);
    else keyed.set(key, node);
  }
  /** @type {ManagedNode | null} */
  let at = parent.firstChild;
  for (const child of wanted) {
    const key = typeof child === "string" ? undefined : child.props.key;
    /** @type {ManagedNode | null | undefined} */
    let node = key === undefined ? at : keyed.get(key);
    if (node && key === undefined && node.vnode?.props.key !== undefined) node = null;
    if (!node || !isCompatible(node, child)) {
      // A custom element has all its properties before it is connected.
      node = createNode(parent, child);
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

/** Whether a node can be patched to a description. @param {ManagedNode} node @param {VNode} child */
function isCompatible(node, child) {
  return typeof child === "string" ? node.nodeType === 3 : node.vnode?.tag === child.tag;
}

/** @param {Element} parent @param {VNode} child @returns {ManagedNode} */
function createNode(parent, child) {
  if (typeof child === "string") return document.createTextNode(child);
  const svg = child.tag === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  /** @type {ManagedNode} */
  const node = svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  node.vnode = { tag: child.tag, props: {}, children: [] };
  return node;
}

/** @param {ManagedNode} node @param {VNode} child */
function patch(node, child) {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = /** @type {Element & ManagedNode} */ (node);
  const before = element.vnode?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in child.props)) setProp(element, name, null);
  // Children come before props: the value of a `select` must be one of its options.
  // Custom elements and elements with `own` render their own children.
  if (!child.props.own && !child.tag.includes("-")) patchChildren(element, child.children);
  for (const [name, value] of Object.entries(child.props)) {
    if (before[name] !== value || name === ".value" || name === ".checked") setProp(element, name, value);
  }
  element.vnode = child;
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
    const before = element.vnode?.props.style ?? {};
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
  element.listeners ??= {};
  if (!(name in element.listeners)) element.addEventListener(name, (/** @type {any} */ event) => element.listeners[name]?.(event));
  element.listeners[name] = value;
}
