// Sends the latest question after a pause, and asks again while the server prepares its table of worths. Earlier questions are canceled.

/** Delay between the last edit of a text and the request. */
const DELAY_MS = 300;
/** Delay after the press of a button, for several presses in a row. */
export const PRESS_DELAY_MS = 100;
/** Delay between two requests while the server prepares a table of worths. */
export const PREPARING_DELAY_MS = 1500;

/**
 * @typedef {import("../protocol").PreparationProgress} PreparationProgress
 * @typedef {import("../protocol").TablePreparation} TablePreparation
 */

/**
 * The latest of several questions.
 * @template Q, T
 */
export class LatestQuestion {
  #send;
  #report;
  #delay;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {AbortController | null} */
  #running = null;

  /**
   * @param {(question: Q, signal: AbortSignal) => Promise<T | TablePreparation>} send
   * @param {{ answered: (answer: T, question: Q) => void, failed: (error: unknown, question: Q) => void, preparing: (progress: PreparationProgress) => void }} report called for the latest question only
   * @param {number} [delay] in milliseconds
   */
  constructor(send, report, delay = DELAY_MS) {
    this.#send = send;
    this.#report = report;
    this.#delay = delay;
  }

  /** Asks a question after the pause, instead of all questions before it. @param {Q} question @param {number} [delay] in milliseconds */
  ask(question, delay = this.#delay) {
    this.end();
    this.#timer = setTimeout(() => this.#start(question), delay);
  }

  /** Cancels the question. */
  end() {
    clearTimeout(this.#timer);
    // The server stops the work of a question that no client waits for.
    this.#running?.abort();
    this.#running = null;
  }

  /** @param {Q} question */
  async #start(question) {
    const run = this.#running = new AbortController();
    /** @type {() => void} */
    let report;
    try {
      const answer = await this.#send(question, run.signal);
      report = isPreparing(answer) ? () => {
        this.#timer = setTimeout(() => this.#start(question), PREPARING_DELAY_MS);
        this.#report.preparing(answer.preparing);
      } : () => this.#report.answered(answer, question);
    } catch (error) {
      report = () => this.#report.failed(error, question);
    }
    if (this.#running !== run) return;
    this.#running = null;
    report();
  }
}

/** Whether the server prepares the table of worths of an answer. @param {unknown} answer @returns {answer is TablePreparation} */
const isPreparing = (answer) => typeof answer === "object" && answer !== null && "preparing" in answer;
