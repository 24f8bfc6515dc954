// <pg-clock>: the time left. On the viewer's turn it announces half time and the last ten seconds.

import { announce } from "../announce.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { words } from "../words.js";

export class Clock extends Component {
  /** Deadline, by the server's clock. @type {number | null} */
  until = null;
  /** Total time, in milliseconds. */
  total = 0;
  /** Whether it is the viewer's turn. */
  yours = false;
  /** @type {() => number} */
  now = () => Date.now();
  /** Announcements made for the current deadline. */
  #announced = new Set();
  /** @type {number | null} */
  #deadline = null;

  begin() {
    this.every(250, () => this.#tick());
  }

  #tick() {
    if (this.#deadline !== this.until) {
      this.#deadline = this.until;
      this.#announced.clear();
    }
    const left = this.left;
    if (left !== null && this.yours && left > 0) {
      if (left <= this.total / 2 && this.total > 12_000) this.#announceOnce("half", words.clock.half(Math.round(left / 1000)));
      if (left <= 10_000 && this.total > 15_000) this.#announceOnce("ten", words.clock.ten);
    }
    this.update();
  }

  /** @param {string} which @param {string} text */
  #announceOnce(which, text) {
    if (this.#announced.has(which)) return;
    this.#announced.add(which);
    announce(text, "assertive");
  }

  /** Milliseconds left; `null` without a deadline. */
  get left() {
    return this.until === null ? null : Math.max(0, this.until - this.now());
  }

  view() {
    const left = this.left;
    if (left === null || this.total === 0) return null;
    const seconds = Math.ceil(left / 1000);
    const share = Math.min(1, left / this.total);
    const short = this.yours && left < Math.min(10_000, this.total / 3);
    return [
      h("span", { class: ["clock-bar", { short }], "aria-hidden": "true" }, h("i", { style: { transform: `scaleX(${share.toFixed(4)})` } })),
      h("span", { class: ["clock-left", "amount", { short }], role: "timer", "aria-live": "off" }, words.clock.left(seconds)),
    ];
  }
}

define("pg-clock", Clock);
