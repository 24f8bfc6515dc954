// <pg-countdown>: the time left until the next puzzle. Calls `over` when it has passed.

import { Component, define } from "../component.js";
import { words } from "../words.js";

const SECOND_MS = 1000;
/** First and longest delay between two calls of `over` for the same time. The clock of the browser may be ahead of the server's. */
const RETRY_MS = { first: 2 * SECOND_MS, longest: 60 * SECOND_MS };

class Countdown extends Component {
  #until = 0;
  #retryMs = RETRY_MS.first;
  /** Time of the next call of `over`. */
  #dueAt = 0;
  /** @type {() => void} */
  over = () => {};

  /** Time at which the day ends, in milliseconds since 1970. */
  get until() {
    return this.#until;
  }

  set until(until) {
    if (until === this.#until) return;
    this.#until = until;
    this.#dueAt = until;
    this.#retryMs = RETRY_MS.first;
    this.update();
  }

  begin() {
    this.setAttribute("role", "timer");
    this.every(SECOND_MS, () => this.#tick());
    // Timers stop while a computer sleeps.
    this.on(document, "visibilitychange", () => this.#tick());
  }

  #tick() {
    if (Date.now() >= this.#dueAt) {
      this.#dueAt = Date.now() + this.#retryMs;
      this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.longest);
      this.over();
    }
    this.update();
  }

  view() {
    return words.puzzle.next(timeText(this.#until - Date.now()));
  }
}

/** Formats a duration: `6:27:09`. @param {number} ms */
export function timeText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

define("pg-countdown", Countdown);
