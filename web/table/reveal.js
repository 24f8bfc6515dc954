// A settlement step by step, as the dealer goes through it. Every viewer shows the same step at the same time, by the server's clock.

import { settings } from "../settings.js";
import { OVER, progressOf, stepsDone } from "./model.js";

/** @typedef {import("./view-types.js").RoundView} RoundView */

export class Reveal {
  /** How far the settlement has come. @type {import("./model.js").Progress} */
  progress = OVER;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next;

  /** @param {{ now: () => number, step: () => void, done: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
  }

  /** Shows everything at once. */
  all() {
    clearTimeout(this.#next);
    this.progress = OVER;
  }

  /** Shows a settlement step by step; at once with reduced motion. @param {RoundView | null} round */
  begin(round) {
    this.all();
    if (!settings.still()) this.#show(round);
    if (this.progress.over) this.listener.done();
  }

  /** @param {RoundView | null} round */
  #show(round) {
    const done = stepsDone(round, this.listener.now());
    this.progress = progressOf(round, done);
    if (this.progress.over) return;
    const next = (round?.settled_at ?? 0) + (round?.steps?.[done].offset_ms ?? 0);
    this.#next = setTimeout(() => {
      this.#show(round);
      if (this.progress.over) this.listener.done();
      this.listener.step();
    }, Math.max(next - this.listener.now(), 20));
  }
}
