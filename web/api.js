// The API. A refusal becomes an error with the server's code; whoever needs a session gets one.

import { toHex } from "./fair/bytes.js";

/**
 * @typedef {import("./protocol").Me} Me
 * @typedef {import("./protocol").Fault} Fault
 * @typedef {import("./protocol").Problem} Problem
 */

/** Something the server said no to, or could not be asked: then the code is `offline`. */
export class Refused extends Error {
  /** @param {Partial<Problem>} problem @param {number} status */
  constructor(problem, status) {
    super(problem.detail ?? problem.code ?? String(status));
    this.code = problem.code ?? "failed";
    this.faults = problem.faults ?? [];
    this.retrySeconds = problem.retry_seconds;
    this.status = status;
  }
}

/**
 * Asks, and gives the answer as JSON.
 * @param {string} path
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, { method, body, signal } = {}) {
  /** @type {RequestInit} */
  const request = { method: method ?? (body === undefined ? "GET" : "POST"), signal, credentials: "same-origin" };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { "content-type": "application/json" };
  }
  let answer;
  try {
    answer = await fetch(path, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused({ code: "offline", detail: "" }, 0);
  }
  if (answer.status === 204) return null;
  const text = await answer.text();
  const value = text && answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
  if (!answer.ok) throw new Refused(value ?? {}, answer.status);
  return value;
}

/** Who I am, kept; those who want to know hear `change`. */
class Session extends EventTarget {
  /** @type {Me | null} */
  me = null;
  /** @type {Promise<Me> | null} */
  #beginning = null;

  /** @param {Me | null} me */
  #is(me) {
    this.me = me;
    remember(me !== null);
    this.dispatchEvent(new Event("change"));
    return me;
  }

  /**
   * What I have, in cents; null where that is not known.
   * @param {string} [currency] the first there is, where none is said @returns {number | null}
   */
  purse(currency) {
    if (!this.me) return null;
    const { cents } = this.me;
    return (currency ? cents[currency] : Object.values(cents)[0]) ?? 0;
  }

  /** Looks who I am; nobody where there is no session. @returns {Promise<Me | null>} */
  async look() {
    if (!remembered()) return null;
    try {
      return this.#is(await ask("/api/session"));
    } catch (error) {
      if (error instanceof Refused && error.code === "no_session") return this.#is(null);
      throw error;
    }
  }

  /** Me, as a new guest if need be. @returns {Promise<Me>} */
  begin() {
    if (this.me) return Promise.resolve(this.me);
    this.#beginning ??= ask("/api/session", { body: {} })
      .then((me) => /** @type {Me} */ (this.#is(me)))
      .finally(() => { this.#beginning = null; });
    return this.#beginning;
  }

  /** @param {string} name */
  async rename(name) {
    this.#is(await ask("/api/session", { method: "PATCH", body: { name } }));
  }

  /** More practice chips. */
  async chips() {
    this.#is(await ask("/api/session/chips", { method: "POST" }));
  }

  /** Ends it. Seats and chips cannot be come back to. */
  async end() {
    await ask("/api/session", { method: "DELETE" });
    this.#is(null);
  }
}

export const session = new Session();

const PLACE = "paigow.session";

/** Whether there is a session is kept, so that strangers are not asked for one. @param {boolean} is */
function remember(is) {
  try {
    if (is) localStorage.setItem(PLACE, "yes");
    else localStorage.removeItem(PLACE);
  } catch {
    // Then it is looked for every time.
  }
}

function remembered() {
  try {
    return localStorage.getItem(PLACE) !== null;
  } catch {
    return true;
  }
}

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/** Asks once and keeps the answer: for what does not change while the page is open. @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export function once(path, body) {
  const key = `${path} ${JSON.stringify(body ?? null)}`;
  let answer = kept.get(key);
  if (!answer) {
    answer = ask(path, body === undefined ? {} : { body });
    answer.catch(() => kept.delete(key));
    kept.set(key, answer);
  }
  return answer;
}

/** An id for a command. Browsers offer `crypto.randomUUID` on https and localhost alone. */
export const newId = () => toHex(crypto.getRandomValues(new Uint8Array(16)));
/** A table's address in the API. @param {string} table */
export const tablePath = (table) => `/api/tables/${encodeURIComponent(table)}`;
/** What is played by at a table. @param {string} table @returns {Promise<import("./protocol").TableRules>} */
export const tableRules = (table) => once(`${tablePath(table)}/rules`);
/** All rule books with their wagers and paytables. @returns {Promise<import("./protocol").Book[]>} */
export const books = () => once("/api/books").then((answer) => answer.books);
/** A book's rules in sentences. @param {string} book @returns {Promise<import("./protocol").Rules>} */
export const rules = (book) => once(`/api/books/${encodeURIComponent(book)}`);
/** The book's word for the banker. @param {import("./protocol").Rules} rules */
export const bankerTerm = ({ terms }) => terms.banker;
/** The house ways that come with the program. @returns {Promise<import("./protocol").HouseWayEntry[]>} */
export const houseWays = () => once("/api/house-ways").then((answer) => answer.house_ways);
/** A house way with its clauses. @param {string} way @returns {Promise<import("./protocol").HouseWayText>} */
export const houseWayText = (way) => once(`/api/house-ways/${encodeURIComponent(way)}`);
/** How the house way sets a hand. @param {import("./protocol").SetQuestion} question @returns {Promise<import("./protocol").Set>} */
export const houseWay = (question) => once("/api/set", question);
/** What every setting of a hand is worth. @param {import("./protocol").BestQuestion} question @returns {Promise<import("./protocol").Best>} */
export const best = (question) => once("/api/best", question);
