// Sends the latest question after a pause. Answers to earlier questions are ignored.

import { ApiError } from "../api.js";

/** Delay between the last edit of a text and the request. */
const DELAY_MS = 300;
/** Delay after the press of a button, for several presses in a row. */
export const PRESS_DELAY_MS = 100;
/** Number of times that a question is sent again after the server's timeout, while the server prepares the table of worths. */
const RETRIES_MAX = 5;

/** @typedef {import("../protocol").DesignQuestion} Question */

/** Returns the key of the table of worths that a question needs. @param {Question} question */
export const tableOf = ({ book, side, against }) => `${book} ${side} ${against}`;

/** @template T The latest of several questions. */
export class LatestQuestion {
  #send;
  #report;
  #delay;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {{ question: Question, stop: AbortController, isStale: boolean } | null} */
  #running = null;
  /** The question to send after the running one. @type {Question | null} */
  #next = null;
  /** Tables of worths that the server has answered from. @type {Set<string>} */
  #ready = new Set();

  /**
   * @param {(question: Question, signal: AbortSignal) => Promise<T>} send
   * @param {{ answered: (answer: T, question: Question) => void, failed: (error: unknown, question: Question) => void }} report called for the latest question only
   * @param {number} [delay] in milliseconds
   */
  constructor(send, report, delay = DELAY_MS) {
    this.#send = send;
    this.#report = report;
    this.#delay = delay;
  }

  /** Whether the server may have to prepare the table of worths for this question. @param {Question} question */
  isPreparing(question) {
    return !this.#ready.has(tableOf(question));
  }

  /** Asks a question after the pause, instead of all questions before it. @param {Question} question @param {number} [delay] in milliseconds */
  ask(question, delay = this.#delay) {
    clearTimeout(this.#timer);
    this.#next = null;
    const running = this.#running;
    if (running) {
      running.isStale = true;
      // The server stops preparing a table when no request waits for it. Such a request runs to its end; its answer is ignored.
      if (!this.isPreparing(running.question) || tableOf(running.question) !== tableOf(question)) this.#stop();
    }
    this.#timer = setTimeout(() => {
      if (this.#running) this.#next = question;
      else this.#start(question);
    }, delay);
  }

  /** Ends the running request. */
  end() {
    clearTimeout(this.#timer);
    this.#next = null;
    this.#stop();
  }

  #stop() {
    this.#running?.stop.abort();
    this.#running = null;
  }

  /** @param {Question} question */
  async #start(question) {
    const run = this.#running = { question, stop: new AbortController(), isStale: false };
    /** @type {() => void} */
    let report;
    try {
      const answer = await this.#sendPatiently(question, run.stop.signal);
      this.#ready.add(tableOf(question));
      report = () => this.#report.answered(answer, question);
    } catch (error) {
      report = () => this.#report.failed(error, question);
    }
    if (this.#running !== run) return;
    this.#running = null;
    if (!run.isStale) report();
    const next = this.#next;
    this.#next = null;
    if (next) this.#start(next);
  }

  /** @param {Question} question @param {AbortSignal} signal @returns {Promise<T>} */
  async #sendPatiently(question, signal) {
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#send(question, signal);
      } catch (error) {
        const isTimeout = error instanceof ApiError && error.code === "too_slow";
        if (!isTimeout || signal.aborted || retries >= RETRIES_MAX) throw error;
      }
    }
  }
}
