// The operator's session of this browser. It is separate from the session of a player.

import { ApiError, ask } from "../api.js";

/** @typedef {import("./types.js").OperatorSession} OperatorSession */

/** The current operator, or none. Dispatches `change` when it changes. */
class OperatorState extends EventTarget {
  /** `undefined` until the first answer of the server. @type {OperatorSession | null | undefined} */
  me;
  /** Whether a session has ended while the console was open. */
  lost = false;
  /** Number of requests that wait for an approval. */
  waiting = 0;

  /** @param {OperatorSession | null} me */
  #set(me) {
    this.me = me;
    if (!me) this.waiting = 0;
    this.dispatchEvent(new Event("change"));
  }

  /** Loads the session. @returns {Promise<OperatorSession | null>} */
  async load() {
    try {
      this.#set(await ask("/api/operator/session"));
      this.lost = false;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      this.#set(null);
    }
    return this.me ?? null;
  }

  async signOut() {
    await ask("/api/operator/session", { method: "DELETE" });
    this.#set(null);
  }

  /** Sends a request of the operator. A response that the session has ended leads back to the sign-in. @param {string} path below `/api/operator/` @param {Parameters<typeof ask>[1]} [options] */
  async ask(path, options) {
    try {
      return await ask(`/api/operator/${path}`, options);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        this.lost = true;
        this.#set(null);
      }
      throw error;
    }
  }

  /** Counts the requests that wait for an approval. */
  async countWaiting() {
    if (!this.me) return;
    const { approvals } = /** @type {{ approvals: import("./types.js").Approval[] }} */ (await this.ask("approvals"));
    this.setWaiting(approvals);
  }

  /** @param {import("./types.js").Approval[]} approvals */
  setWaiting(approvals) {
    const waiting = approvals.filter(({ state }) => state === "waiting").length;
    if (waiting === this.waiting) return;
    this.waiting = waiting;
    this.dispatchEvent(new Event("change"));
  }

  /** Whether the operator has a permission. @param {import("./types.js").Permission} permission */
  may(permission) {
    return this.me?.may.includes(permission) ?? false;
  }
}

export const operator = new OperatorState();
