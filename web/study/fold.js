// Sections that can be collapsed, with a search that opens the sections with matches.

import { h } from "../dom.js";
import { words } from "../words.js";

/**
 * @typedef {import("../dom.js").Child} Child
 * @typedef {{ id: string, title: string, many: number, actions?: Child, body: Child }} Part a section: its id, its title, its number of entries, its actions and its content
 */

/** The open sections of a page. While a search is active all sections are open, except those that the viewer has closed since. */
export class OpenSections {
  #opened;
  /** @type {Set<string>} */
  #closed = new Set();
  #searching = false;

  /** @param {...string} opened ids of the sections that are open at first */
  constructor(...opened) {
    this.#opened = new Set(opened);
  }

  /** @param {string} id */
  isOpen(id) {
    return this.#searching ? !this.#closed.has(id) : this.#opened.has(id);
  }

  /** Opens or closes a section. Returns whether this changes anything. @param {string} id @param {boolean} open */
  set(id, open) {
    if (this.isOpen(id) === open) return false;
    const [set, add] = this.#searching ? [this.#closed, !open] : [this.#opened, open];
    if (add) set.add(id);
    else set.delete(id);
    return true;
  }

  /** Starts, changes or ends a search. @param {boolean} searching */
  search(searching) {
    this.#searching = searching;
    this.#closed.clear();
  }
}

/** A section that can be collapsed. @param {Part} part @param {boolean} open @param {(open: boolean) => void} toggle @param {"h2" | "h3"} [heading] */
export function fold({ id, title, many, actions, body }, open, toggle, heading = "h2") {
  return h("section", { class: "panel study fold", key: id, "aria-labelledby": `${id}-title` },
    h("details", { open, "data-part": id, ontoggle: (/** @type {any} */ event) => toggle(event.target.open) },
      h("summary", null, h(heading, { id: `${id}-title` }, title), h("span", { class: "small amount" }, many, h("span", { class: "unseen" }, ` ${words.study.entries(many)}`))),
      h("div", { class: "fold-body" }, actions && h("div", { class: "row" }, actions), body)));
}

/** Sections that can be collapsed, with buttons for all of them. @param {Part[]} parts @param {OpenSections} sections @param {() => void} update @param {"h2" | "h3"} [heading] */
export function folds(parts, sections, update, heading) {
  const all = (/** @type {boolean} */ open) => {
    for (const { id } of parts) sections.set(id, open);
    update();
  };
  return [
    parts.length > 1 && h("div", { class: "row fold-all", key: "fold-all" },
      h("button", { type: "button", class: "button slim plain", disabled: parts.every(({ id }) => sections.isOpen(id)), onclick: () => all(true) }, words.study.openAll),
      h("button", { type: "button", class: "button slim plain", disabled: parts.every(({ id }) => !sections.isOpen(id)), onclick: () => all(false) }, words.study.closeAll)),
    parts.map((part) => fold(part, sections.isOpen(part.id), (open) => { if (sections.set(part.id, open)) update(); }, heading)),
  ];
}

/** The number of matches of a search, announced to screen readers. @param {boolean} searching @param {Part[]} parts with matches */
export function matches(searching, parts) {
  const many = parts.reduce((sum, part) => sum + part.many, 0);
  return h("p", { class: "small", role: "status" }, searching ? words.study.found(many, parts.length) : "");
}

/** Scrolls to an element and moves the focus there, after the app has scrolled to the top of the new view. @param {HTMLElement} element @param {ScrollLogicalPosition} block */
export function reveal(element, block) {
  if (!element.matches("summary")) element.tabIndex = -1;
  requestAnimationFrame(() => {
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block });
  });
}
