// A settlement that is shown line by line, as a dealer would pay it.

import { settings } from "../settings.js";

/** The hands lie open for so long before the first line. */
const HANDS_MS = 900;
/** A line takes so long, and all of them together at most so long. */
const LINE_MS = 420;
const ALL_MS = 4500;

export class Reveal {
  /** How many lines are shown. */
  stage = Infinity;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;

  /** @param {{ step: () => void, done: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
  }

  /** Shows everything at once. */
  all() {
    clearTimeout(this.#next);
    this.stage = Infinity;
  }

  /** Shows so many lines, one after the other; at once for those who want nothing to move. @param {number} count */
  begin(count) {
    this.all();
    if (settings.still()) return this.listener.done();
    this.stage = 0;
    const step = Math.min(LINE_MS, ALL_MS / Math.max(count, 1));
    const next = () => {
      this.stage += 1;
      if (this.stage >= count) {
        this.stage = Infinity;
        this.listener.done();
      } else {
        this.#next = setTimeout(next, step);
      }
      this.listener.step();
    };
    this.#next = setTimeout(next, HANDS_MS);
  }
}
