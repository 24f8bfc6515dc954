// <pg-clock>: the time left as a ring around the seconds, or as the fuse of a button. The ring announces half time and the last ten seconds on the viewer's turn.
// In the player's own time, it shows and announces only the last minute.

import { announce } from "../announce.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { sound } from "../sound.js";
import { words } from "../words.js";
import { OWN_TIME_MS } from "./model.js";

/** Time before the deadline in which the ring warns. */
const LAST_MS = 5_000;
/** Time before the deadline in which a clock of the player's own time is shown. */
const LAST_MINUTE_MS = 60_000;

export class Clock extends Component {
  /** @type {number | null} */
  #until = null;
  /** Total time, in milliseconds. */
  total = 0;
  /** Whether it is the viewer's turn. */
  yours = false;
  /** Number of the seat, shown while no clock runs. */
  seat = 0;
  /** Whether the ring moves once a second. */
  steps = false;
  /** Whether the time left is shown as a fuse. */
  fuse = false;
  /** @type {() => number} */
  now = () => Date.now();
  /** Announcements made for the current deadline. */
  #announced = new Set();
  /** @type {number | null} */
  #deadline = null;
  #second = 0;

  /** Deadline, by the server's clock. @type {number | null} */
  get until() {
    return this.#until;
  }

  set until(until) {
    const changed = until !== this.#until;
    this.#until = until;
    if (changed && this.isConnected) this.update();
  }

  begin() {
    this.every(200, () => this.#tick());
    // A tab that was in the background shows the current time at once.
    this.on(document, "visibilitychange", () => this.update());
  }

  #tick() {
    if (this.#deadline !== this.until) {
      this.#deadline = this.until;
      this.#announced.clear();
    }
    const left = this.left;
    if (left !== null && left > 0 && this.yours && !this.fuse) {
      if (this.#isOwnTime) this.#announceOnce("minute", words.clock.lastMinute);
      else if (left <= this.total / 2 && this.total > 12_000) this.#announceOnce("half", words.clock.half(Math.round(left / 1000)));
      if (left <= 10_000 && this.total > 15_000) this.#announceOnce("ten", words.clock.ten);
      const second = Math.ceil(left / 1000);
      if (left <= LAST_MS && second !== this.#second) sound.play("tick");
      this.#second = second;
    }
    this.update();
  }

  /** @param {string} which @param {string} text */
  #announceOnce(which, text) {
    if (this.#announced.has(which)) return;
    this.#announced.add(which);
    announce(text, "assertive");
  }

  /** Whether the player has as much time as the server allows. */
  get #isOwnTime() {
    return this.total >= OWN_TIME_MS;
  }

  /** Milliseconds left; `null` without a deadline, and before the last minute of the player's own time. */
  get left() {
    if (this.until === null || this.total === 0) return null;
    const left = Math.max(0, this.until - this.now());
    return this.#isOwnTime && left > LAST_MINUTE_MS ? null : left;
  }

  view() {
    const left = this.left;
    const seconds = left === null ? 0 : Math.ceil(left / 1000);
    const share = left === null ? 0 : Math.min(1, (this.steps ? seconds * 1000 : left) / (this.#isOwnTime ? LAST_MINUTE_MS : this.total));
    if (this.fuse) return left !== null && h("i", { style: { transform: `scaleX(${share.toFixed(4)})` } });
    const last = left !== null && left <= LAST_MS && this.yours;
    return [
      h("svg", { viewBox: "0 0 64 64", "aria-hidden": "true", class: { last } }, h("circle", { class: "track", cx: 32, cy: 32, r: 28 }),
        left !== null && h("circle", { class: "left", cx: 32, cy: 32, r: 28, pathLength: 1, "stroke-dasharray": `${share.toFixed(4)} 1` })),
      left === null ? h("b", { class: "seat-number", "aria-hidden": "true" }, this.seat || "") : h("b", { class: ["clock-left", "amount", { last }], role: "timer", "aria-live": "off" }, seconds < 100 ? seconds : Math.ceil(seconds / 60), h("small", null, seconds < 100 ? words.clock.second : words.clock.minute)),
    ];
  }
}

define("pg-clock", Clock);
