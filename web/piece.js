// A piece of the page: a custom element in the light DOM that shows what `view()` says whenever it is told to.

import { render } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */

/** What every element of ours is made of. */
export class Piece extends HTMLElement {
  #waiting = false;
  #gone = new AbortController();

  /** Ends when the element is taken out of the page: for listeners, requests and timers. */
  get gone() {
    return this.#gone.signal;
  }

  connectedCallback() {
    if (this.#gone.signal.aborted) this.#gone = new AbortController();
    this.begin();
    this.update();
  }

  disconnectedCallback() {
    this.#gone.abort();
  }

  /** Shows it anew, once for everything that changes in one go. */
  update() {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (!this.isConnected) return;
      render(this, this.view());
      this.shown();
    });
  }

  /** What to do when it comes into the page. */
  begin() {}

  /** What it shows. @returns {Child} */
  view() {
    return null;
  }

  /** What to do when it has been shown anew. */
  shown() {}

  /** Does something every so many milliseconds while it is there. @param {number} ms @param {() => void} act */
  every(ms, act) {
    const timer = setInterval(act, ms);
    this.gone.addEventListener("abort", () => clearInterval(timer));
  }

  /** Listens to something while it is there. @param {EventTarget} target @param {string} name @param {(event: any) => void} act */
  on(target, name, act) {
    target.addEventListener(name, act, { signal: this.gone });
  }
}

/** Gives an element its name, once. @param {string} name @param {CustomElementConstructor} element */
export function define(name, element) {
  if (!customElements.get(name)) customElements.define(name, element);
}
