// <pg-clock>: how much time is left. It moves by itself; at half and at ten seconds it is said, where it is one's turn.

import { announce } from "../announce.js";
import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { words } from "../words.js";

export class Clock extends Piece {
  /** When time is up, by the server's clock. @type {number | null} */
  until = null;
  /** How long it was in all, in milliseconds. */
  total = 0;
  /** Whether it is the viewer's time. */
  yours = false;
  /** @type {() => number} */
  now = () => Date.now();
  #said = new Set();
  /** @type {number | null} */
  #of = null;

  begin() {
    this.every(250, () => this.#tick());
  }

  #tick() {
    if (this.#of !== this.until) {
      this.#of = this.until;
      this.#said.clear();
    }
    const left = this.left;
    if (left !== null && this.yours && left > 0) {
      if (left <= this.total / 2 && this.total > 12_000) this.#say("half", words.clock.half(Math.round(left / 1000)));
      if (left <= 10_000 && this.total > 15_000) this.#say("ten", words.clock.ten);
    }
    this.update();
  }

  /** @param {string} which @param {string} text */
  #say(which, text) {
    if (this.#said.has(which)) return;
    this.#said.add(which);
    announce(text, "assertive");
  }

  /** Milliseconds left. */
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
