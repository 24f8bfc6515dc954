// Plays a settlement: the moments of the reveal, and the steps of the settlement. All viewers show the same state at the same time, by the server's clock.

import { settings } from "../settings.js";
import { OVER, progressOf, stepsDone } from "./model.js";
import { REVEALED, reached, timeline } from "./reveal.js";

/**
 * @typedef {import("./view-types.js").RoundView} RoundView
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./reveal.js").Moment} Moment
 */

export class SettlementPlayback {
  /** Progress of the settlement's steps. @type {import("./model.js").Progress} */
  progress = OVER;
  /** Current moment of the reveal. */
  moment = REVEALED;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Moment[]} */
  #moments = [];
  /** @type {RoundView | null} */
  #round = null;
  /** Milliseconds that the viewer has skipped. */
  #skipped = 0;

  /** @param {{ now: () => number, step: () => void, verdict: () => void }} listener */
  constructor(listener) {
    this.listener = listener;
  }

  /** Whether hands are being turned over. */
  get revealing() {
    return !reached(this.moment, "verdict");
  }

  /** Shows all steps at once. */
  showAll() {
    clearTimeout(this.#timer);
    this.progress = OVER;
    this.moment = REVEALED;
    this.#moments = [];
  }

  /** Starts the playback of a settled round. @param {View} view @param {number} bottom the seat at the bottom */
  begin(view, bottom) {
    this.showAll();
    this.#round = view.round;
    this.#skipped = 0;
    const settledAt = view.round?.settled_at;
    if (settledAt && view.round?.lines) {
      this.#moments = timeline(view, bottom, view.until === null ? Infinity : view.until - settledAt);
      this.moment = this.#moments[0];
    }
    this.#show();
  }

  /** Skips to the next moment. */
  skip() {
    if (this.moment.stage === "over") return;
    const elapsed = this.#elapsedAt(this.listener.now());
    const next = this.#moments.find(({ at }) => at > elapsed);
    this.#skipped += next ? next.at - elapsed : 0;
    this.#show();
    this.listener.step();
  }

  /** @param {number} now */
  #elapsedAt(now) {
    return now - (this.#round?.settled_at ?? 0) + this.#skipped;
  }

  #show() {
    clearTimeout(this.#timer);
    const round = this.#round;
    const before = this.moment;
    // One reading of the clock: a moment between two readings would neither be shown nor waited for.
    const now = this.listener.now();
    const elapsed = this.#elapsedAt(now);
    this.moment = this.#moments.findLast(({ at }) => at <= elapsed) ?? this.#moments[0] ?? REVEALED;
    // With reduced motion, all lines appear with the verdict.
    const steps = settings.reducedMotion() ? Infinity : stepsDone(round, now);
    this.progress = progressOf(round, steps);
    if (reached(this.moment, "verdict") && !reached(before, "verdict")) this.listener.verdict();
    if (this.#moments.length === 0) this.listener.verdict();
    const waits = [
      this.#moments.find(({ at }) => at > elapsed)?.at ?? Infinity,
      (round?.steps?.[steps]?.offset_ms ?? Infinity) + this.#skipped,
    ].map((at) => at - elapsed);
    const wait = Math.min(...waits);
    if (wait === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#show();
      this.listener.step();
    }, Math.max(wait, 10));
  }
}
