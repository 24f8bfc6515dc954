// Plays a settlement step by step. All viewers show the same step at the same time, by the server's clock.

import { settings } from "../settings.js";
import { OVER, progressOf, stepsDone } from "./model.js";

/** @typedef {import("./view-types.js").RoundView} RoundView */

export class SettlementPlayback {
  /** Progress of the settlement. @type {import("./model.js").Progress} */
  progress = OVER;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{ now: () => number, step: () => void, done: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
  }

  /** Shows all steps at once. */
  showAll() {
    clearTimeout(this.#timer);
    this.progress = OVER;
  }

  /** Starts the playback. With reduced motion, all steps are shown at once. @param {RoundView | null} round */
  begin(round) {
    this.showAll();
    if (!settings.reducedMotion()) this.#show(round);
    if (this.progress.over) this.listener.done();
  }

  /** @param {RoundView | null} round */
  #show(round) {
    const done = stepsDone(round, this.listener.now());
    this.progress = progressOf(round, done);
    if (this.progress.over) return;
    const next = (round?.settled_at ?? 0) + (round?.steps?.[done].offset_ms ?? 0);
    this.#timer = setTimeout(() => {
      this.#show(round);
      if (this.progress.over) this.listener.done();
      this.listener.step();
    }, Math.max(next - this.listener.now(), 20));
  }
}
