// Live feed of a table over a WebSocket. It reconnects automatically and resends commands until they are answered.

import { ApiError, newId, tablePath } from "../api.js";

/**
 * @typedef {"joining" | "live" | "lost" | "ended"} LinkState
 * @typedef {import("../protocol").FromClient} FromClient
 * @typedef {import("../protocol").ToClient} ToClient
 * @typedef {import("../protocol").Command} Command
 * @typedef {import("../protocol").ApiProblem} ApiProblem
 * @typedef {{ id: string, command: Command, resolve: (answer: any) => void, reject: (error: Error) => void, retry?: ReturnType<typeof setTimeout> }} PendingCommand
 * @typedef {{ onSnapshot: (view: import("../protocol").View, seq: number) => void, onEvent: (event: import("../protocol").SeenEvent, seq: number, at: number) => void, onRollback: () => void, onMissing: () => void, onLink: () => void }} Listener
 */

const PING_MS = 10_000;
/** Without a message for this long, the connection counts as lost. */
const SILENT_MS = 15_000;
const RETRY_MS = 500;
const RETRY_MAX_MS = 15_000;
/** Close codes caused by this client. An immediate retry would be closed again. */
const CLIENT_FAULTS = ["flood", "rubbish"];

export class LiveTable {
  /** @type {LinkState} */
  link = "joining";
  /** Sequence number of the last event; `null` before the first snapshot. @type {number | null} */
  seq = null;
  /** Round-trip time in milliseconds. @type {number | null} */
  lag = null;
  /** The server's clock minus the local clock, in milliseconds. */
  offset = 0;
  /** Time of the next connection attempt, by the local clock. @type {number | null} */
  retryAt = null;

  /** Hash of the last event. It tells the server whether that event is still part of the table's history. */
  #hash = "";
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {PendingCommand[]} */
  #pending = [];
  #attempts = 0;
  #lastMessageAt = 0;
  /** Send times of unanswered pings. */
  #pingTimes = new Map();
  #pings = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  #closed = new AbortController();

  /** @param {string} table @param {Listener} listener */
  constructor(table, listener) {
    this.table = table;
    this.listener = listener;
    const { signal } = this.#closed;
    // Check the connection as soon as the computer wakes, the tab becomes visible or the network returns, without waiting for a timer.
    for (const [target, name] of /** @type {[EventTarget, string][]} */ ([
      [document, "visibilitychange"], [window, "online"], [window, "pageshow"], [document, "resume"],
    ])) target.addEventListener(name, () => this.#checkLink(), { signal });
    window.addEventListener("offline", () => this.#onLost(), { signal });
    const heartbeat = setInterval(() => this.#heartbeat(), PING_MS);
    signal.addEventListener("abort", () => clearInterval(heartbeat));
    this.connect();
  }

  /** Returns the time of the server's clock, as estimated from pings. */
  now() {
    return Date.now() + this.offset;
  }

  /** Opens a new connection with the current session. Resumes after the last event. */
  connect() {
    clearTimeout(this.#retry);
    this.retryAt = null;
    this.#closeSocket();
    if (this.#closed.signal.aborted) return;
    const from = this.seq === null ? "" : `?from=${this.seq}&hash=${this.#hash}`;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${tablePath(this.table)}/live${from}`);
    this.#socket = socket;
    this.#lastMessageAt = Date.now();
    socket.onopen = () => {
      this.#setLink("live");
      this.#ping();
      for (const pending of this.#pending) this.#sendCommand(pending);
    };
    socket.onmessage = (message) => {
      this.#lastMessageAt = Date.now();
      this.#attempts = 0;
      this.#receive(JSON.parse(String(message.data)));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#onLost();
    };
  }

  /** Reconnects and requests a new snapshot, after the session has changed. */
  restart() {
    this.seq = null;
    this.#setLink("joining");
    this.connect();
  }

  /** Sends a command. Resolves or rejects with the server's answer. @param {Command} command @returns {Promise<any>} */
  send(command) {
    return new Promise((resolve, reject) => {
      const pending = { id: newId(), command, resolve, reject };
      this.#pending.push(pending);
      if (this.link === "live") this.#sendCommand(pending);
      this.listener.onLink();
    });
  }

  /** Number of commands without an answer. */
  get pending() {
    return this.#pending.length;
  }

  /** Closes the feed for good. */
  close() {
    this.#closed.abort();
    clearTimeout(this.#retry);
    this.#closeSocket();
  }

  #closeSocket() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {LinkState} link */
  #setLink(link) {
    if (this.link === link) return;
    this.link = link;
    this.listener.onLink();
  }

  /** @param {FromClient} message */
  #sendMessage(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {PendingCommand} pending */
  #sendCommand({ id, command }) {
    this.#sendMessage({ type: "command", id, command });
  }

  /** @param {ToClient} message */
  #receive(message) {
    switch (message.type) {
      case "snapshot":
        this.seq = message.seq;
        this.#hash = message.hash;
        this.offset = message.now - Date.now();
        this.listener.onSnapshot(message.view, message.seq);
        break;
      case "store_went_back":
        // A snapshot follows.
        this.listener.onRollback();
        break;
      case "event":
        if (this.seq === null || message.seq <= this.seq) break;
        if (message.seq > this.seq + 1) {
          this.#sendMessage({ type: "resume", from: this.seq, hash: this.#hash });
          break;
        }
        this.seq = message.seq;
        this.#hash = message.hash;
        this.listener.onEvent(message.event, message.seq, message.at);
        break;
      case "done":
        this.#removePending(message.id)?.resolve(message);
        break;
      case "refused":
        this.#onRefused(message.id, message.problem);
        break;
      case "pong":
        this.#onPong(message);
        break;
      case "goodbye":
        if (message.code === "ended") {
          this.#setLink("ended");
          this.close();
        } else if (message.code === "no_such_table") {
          this.close();
          this.listener.onMissing();
        } else if (CLIENT_FAULTS.includes(message.code)) {
          this.#attempts = 6;
        }
        break;
    }
  }

  /** @param {string} id */
  #removePending(id) {
    const index = this.#pending.findIndex((pending) => pending.id === id);
    if (index < 0) return null;
    const [pending] = this.#pending.splice(index, 1);
    clearTimeout(pending.retry);
    this.listener.onLink();
    return pending;
  }

  /** @param {string} id @param {ApiProblem} problem */
  #onRefused(id, problem) {
    if (problem.code === "unavailable" || problem.code === "too_many_requests") {
      // The server may have executed the command. It executes an id only once, so a retry is safe.
      const pending = this.#pending.find((one) => one.id === id);
      if (pending) pending.retry = setTimeout(() => this.#sendCommand(pending), (problem.retry_seconds ?? 1) * 1000);
      return;
    }
    this.#removePending(id)?.reject(new ApiError(problem, problem.status));
  }

  #ping() {
    const n = ++this.#pings;
    this.#pingTimes.set(n, performance.now());
    if (this.#pingTimes.size > 8) this.#pingTimes.delete(this.#pingTimes.keys().next().value);
    this.#sendMessage({ type: "ping", n });
  }

  /** @param {{ n: number, now: number }} pong */
  #onPong({ n, now }) {
    const sent = this.#pingTimes.get(n);
    if (sent === undefined) return;
    this.#pingTimes.delete(n);
    this.lag = Math.round(performance.now() - sent);
    this.offset = now + this.lag / 2 - Date.now();
    this.listener.onLink();
  }

  #heartbeat() {
    if (this.link !== "live") return;
    if (Date.now() - this.#lastMessageAt > SILENT_MS) this.#onLost();
    else this.#ping();
  }

  /** Pings a live connection; reconnects at once if it is lost or silent. */
  #checkLink() {
    if (document.visibilityState === "hidden" || this.link === "ended") return;
    if (this.link === "live" && Date.now() - this.#lastMessageAt < SILENT_MS) this.#ping();
    else this.connect();
  }

  /** Closes the socket and schedules the next attempt, with exponential backoff and jitter. */
  #onLost() {
    if (this.#closed.signal.aborted || this.link === "ended") return;
    this.#closeSocket();
    clearTimeout(this.#retry);
    const wait = Math.min(RETRY_MS * 2 ** this.#attempts, RETRY_MAX_MS) * (0.5 + Math.random());
    this.#attempts += 1;
    this.retryAt = Date.now() + wait;
    this.#retry = setTimeout(() => this.connect(), wait);
    this.lag = null;
    this.#setLink("lost");
    this.listener.onLink();
  }
}
