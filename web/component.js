// Base class of the page's custom elements. They render `view()` into the light DOM on `update()`.

import { render } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */

/** A custom element that renders its own children. */
export class Component extends HTMLElement {
  #updating = false;
  #connection = new AbortController();

  /** Aborts when the element is disconnected. For listeners, requests and timers. */
  get signal() {
    return this.#connection.signal;
  }

  connectedCallback() {
    if (this.signal.aborted) this.#connection = new AbortController();
    this.begin();
    this.update();
  }

  disconnectedCallback() {
    this.#connection.abort();
  }

  /** Schedules a render in a microtask. Several calls cause one render. */
  update() {
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      if (!this.isConnected) return;
      render(this, this.view());
      this.updated();
    });
  }

  /** Called when the element is connected, before the first render. */
  begin() {}

  /** Returns the children to render. @returns {Child} */
  view() {
    return null;
  }

  /** Called after each render. */
  updated() {}

  /** Calls a function at an interval until the element is disconnected. @param {number} ms @param {() => void} action */
  every(ms, action) {
    const timer = setInterval(action, ms);
    this.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** Listens to an event until the element is disconnected. @param {EventTarget} target @param {string} name @param {(event: any) => void} listener */
  on(target, name, listener) {
    target.addEventListener(name, listener, { signal: this.signal });
  }
}

/** Defines a custom element, unless the name is taken. @param {string} name @param {CustomElementConstructor} element */
export function define(name, element) {
  if (!customElements.get(name)) customElements.define(name, element);
}
