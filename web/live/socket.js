// A table's live feed. It comes back by itself; what was asked for is asked again until it is answered.

import { Refused, newId, tablePath } from "../api.js";

/**
 * @typedef {"joining" | "live" | "lost" | "ended"} Link
 * @typedef {import("../protocol").FromClient} FromClient
 * @typedef {import("../protocol").ToClient} ToClient
 * @typedef {import("../protocol").Command} Command
 * @typedef {import("../protocol").Problem} Problem
 * @typedef {{ id: string, command: Command, sent: boolean, done: (answer: any) => void, refused: (error: Error) => void, again?: ReturnType<typeof setTimeout> }} Waiting
 * @typedef {{ onSnapshot: (view: import("../protocol").View, seq: number) => void, onEvent: (event: import("../protocol").SeenEvent, seq: number, at: number) => void, onWentBack: () => void, onMissing: () => void, onLink: () => void }} Listener
 */

const PING_MS = 10_000;
const SILENT_MS = 15_000;
const RETRY_MS = 500;
const RETRY_MAX_MS = 15_000;
/** Goodbyes after which coming back at once would end the same way. */
const OWN_DOING = ["flood", "rubbish"];

export class LiveTable {
  /** @type {Link} */
  link = "joining";
  /** The last event that was seen; none before the first snapshot. @type {number | null} */
  seq = null;
  /** How long an answer takes, in milliseconds. @type {number | null} */
  lag = null;
  /** The server's clock less ours. */
  offset = 0;
  /** When the next attempt is made, by our clock. @type {number | null} */
  retryAt = null;

  /** The hash of the last event that was seen: with it the server knows whether that is still part of the table's history. */
  #hash = "";
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Waiting[]} */
  #waiting = [];
  #tries = 0;
  #heard = 0;
  #pinged = new Map();
  #pings = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  #stop = new AbortController();

  /** @param {string} table @param {Listener} listener */
  constructor(table, listener) {
    this.table = table;
    this.listener = listener;
    const { signal } = this.#stop;
    // A laptop that wakes, a tab that is looked at again, a network that is back: at once, not when a timer says so.
    for (const [target, name] of /** @type {[EventTarget, string][]} */ ([
      [document, "visibilitychange"], [window, "online"], [window, "pageshow"], [document, "resume"],
    ])) target.addEventListener(name, () => this.#wake(), { signal });
    window.addEventListener("offline", () => this.#lose(), { signal });
    const beat = setInterval(() => this.#beat(), PING_MS);
    signal.addEventListener("abort", () => clearInterval(beat));
    this.connect();
  }

  /** The server's clock, as well as we know it. */
  now() {
    return Date.now() + this.offset;
  }

  /** Begins anew, as whoever we are by now. */
  connect() {
    clearTimeout(this.#retry);
    this.retryAt = null;
    this.#drop();
    if (this.#stop.signal.aborted) return;
    const from = this.seq === null ? "" : `?from=${this.seq}&hash=${this.#hash}`;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${tablePath(this.table)}/live${from}`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => {
      this.#is("live");
      this.#ping();
      for (const waiting of this.#waiting) this.#give(waiting);
    };
    socket.onmessage = (message) => {
      this.#heard = Date.now();
      this.#tries = 0;
      this.#hear(JSON.parse(String(message.data)));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  /** Forgets what was seen and starts afresh: for somebody who has become somebody else. */
  restart() {
    this.seq = null;
    this.#is("joining");
    this.connect();
  }

  /** Gives a command; the promise is kept once the server has answered. @param {Command} command @returns {Promise<any>} */
  give(command) {
    return new Promise((done, refused) => {
      const waiting = { id: newId(), command, sent: false, done, refused };
      this.#waiting.push(waiting);
      if (this.link === "live") this.#give(waiting);
      this.listener.onLink();
    });
  }

  /** How many commands are not answered yet. */
  get pending() {
    return this.#waiting.length;
  }

  /** Ends it for good. */
  close() {
    this.#stop.abort();
    clearTimeout(this.#retry);
    this.#drop();
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {Link} link */
  #is(link) {
    if (this.link === link) return;
    this.link = link;
    this.listener.onLink();
  }

  /** @param {FromClient} message */
  #say(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {Waiting} waiting */
  #give(waiting) {
    waiting.sent = true;
    this.#say({ type: "command", id: waiting.id, command: waiting.command });
  }

  /** @param {ToClient} message */
  #hear(message) {
    switch (message.type) {
      case "snapshot":
        this.seq = message.seq;
        this.#hash = message.hash;
        this.offset = message.now - Date.now();
        this.listener.onSnapshot(message.view, message.seq);
        break;
      case "store_went_back":
        // A snapshot follows.
        this.listener.onWentBack();
        break;
      case "event":
        if (this.seq === null || message.seq <= this.seq) break;
        if (message.seq > this.seq + 1) {
          this.#say({ type: "resume", from: this.seq, hash: this.#hash });
          break;
        }
        this.seq = message.seq;
        this.#hash = message.hash;
        this.listener.onEvent(message.event, message.seq, message.at);
        break;
      case "done":
        this.#answered(message.id)?.done(message);
        break;
      case "refused":
        this.#refused(message.id, message.problem);
        break;
      case "pong":
        this.#ponged(message);
        break;
      case "goodbye":
        if (message.code === "ended") {
          this.#is("ended");
          this.close();
        } else if (message.code === "no_such_table") {
          this.close();
          this.listener.onMissing();
        } else if (OWN_DOING.includes(message.code)) {
          this.#tries = 6;
        }
        break;
    }
  }

  /** @param {string} id */
  #answered(id) {
    const at = this.#waiting.findIndex((waiting) => waiting.id === id);
    if (at < 0) return null;
    const [waiting] = this.#waiting.splice(at, 1);
    clearTimeout(waiting.again);
    this.listener.onLink();
    return waiting;
  }

  /** @param {string} id @param {Problem} problem */
  #refused(id, problem) {
    if (problem.code === "unavailable" || problem.code === "too_many_requests") {
      // It may have been done. The same id is done once, so it is sent again.
      const waiting = this.#waiting.find((one) => one.id === id);
      if (waiting) waiting.again = setTimeout(() => this.#give(waiting), (problem.retry_seconds ?? 1) * 1000);
      return;
    }
    this.#answered(id)?.refused(new Refused(problem, problem.status));
  }

  #ping() {
    const n = ++this.#pings;
    this.#pinged.set(n, performance.now());
    if (this.#pinged.size > 8) this.#pinged.delete(this.#pinged.keys().next().value);
    this.#say({ type: "ping", n });
  }

  /** @param {{ n: number, now: number }} pong */
  #ponged({ n, now }) {
    const sent = this.#pinged.get(n);
    if (sent === undefined) return;
    this.#pinged.delete(n);
    this.lag = Math.round(performance.now() - sent);
    this.offset = now + this.lag / 2 - Date.now();
    this.listener.onLink();
  }

  #beat() {
    if (this.link !== "live") return;
    if (Date.now() - this.#heard > SILENT_MS) this.#lose();
    else this.#ping();
  }

  /** Looks whether the line is still there, and if not makes a new one at once. */
  #wake() {
    if (document.visibilityState === "hidden" || this.link === "ended") return;
    if (this.link === "live" && Date.now() - this.#heard < SILENT_MS) this.#ping();
    else this.connect();
  }

  #lose() {
    if (this.#stop.signal.aborted || this.link === "ended") return;
    this.#drop();
    clearTimeout(this.#retry);
    const wait = Math.min(RETRY_MS * 2 ** this.#tries, RETRY_MAX_MS) * (0.5 + Math.random());
    this.#tries += 1;
    this.retryAt = Date.now() + wait;
    this.#retry = setTimeout(() => this.connect(), wait);
    this.lag = null;
    this.#is("lost");
    this.listener.onLink();
  }
}
