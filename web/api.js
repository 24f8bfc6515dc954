// Client of the HTTP API. A refused request throws an `ApiError` with the server's code; `session.begin()` creates a guest session on demand.

import { toHex } from "./fair/bytes.js";

/**
 * @typedef {import("./protocol").SessionPlayer} SessionPlayer
 * @typedef {import("./protocol").ApiFault} ApiFault
 * @typedef {import("./protocol").ApiProblem} ApiProblem
 */

/** A request that the server refused, or that did not reach it (code `offline`). */
export class ApiError extends Error {
  /** @param {Partial<ApiProblem>} problem @param {number} status */
  constructor(problem, status) {
    super(problem.detail ?? problem.code ?? String(status));
    this.code = problem.code ?? "failed";
    this.faults = problem.faults ?? [];
    this.retrySeconds = problem.retry_seconds;
    this.status = status;
  }
}

/** Number of pending requests. */
let pending = 0;

/** Resolves when no request is pending. Looks ten times a second, so that a request that follows from another is awaited too. */
export async function idle() {
  do await new Promise((resolve) => setTimeout(resolve, 100)); while (pending > 0);
}

/**
 * Sends a request and returns the JSON of the response, or `null` for status 204. With a body, the default method is POST.
 * @param {string} path
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} [options]
 * @returns {Promise<any>}
 * @throws {ApiError}
 */
export async function ask(path, options = {}) {
  pending += 1;
  try {
    return await send(path, options);
  } finally {
    pending -= 1;
  }
}

/** @param {string} path @param {{ method?: string, body?: unknown, signal?: AbortSignal }} options @returns {Promise<any>} */
async function send(path, { method, body, signal }) {
  /** @type {RequestInit} */
  const request = { method: method ?? (body === undefined ? "GET" : "POST"), signal, credentials: "same-origin" };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { "content-type": "application/json" };
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ code: "offline", detail: "" }, 0);
  }
  if (response.status === 204) return null;
  const text = await response.text();
  const value = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : null;
  if (!response.ok) throw new ApiError(value ?? {}, response.status);
  return value;
}

/** Currency of the practice chips. */
export const PRACTICE = "PRACTICE";

/** The current session, or none. Dispatches `change` when it changes. */
class Session extends EventTarget {
  /** @type {SessionPlayer | null} */
  me = null;
  /** @type {Promise<SessionPlayer> | null} */
  #beginning = null;
  /** Number of the last change or request of the session. */
  #number = 0;
  /** Number of the change or request that `me` comes from. */
  #applied = 0;

  /** Sets the session, unless it comes from a request that is older than the current one. @param {SessionPlayer | null} me @param {number} [number] default: a new change */
  #set(me, number = ++this.#number) {
    if (number < this.#applied) return this.me;
    this.#applied = number;
    this.me = me;
    storeFlag(me !== null);
    this.dispatchEvent(new Event("change"));
    return me;
  }

  /**
   * Returns the player's balance in cents, or `null` without a session. It is never negative.
   * @param {string} [currency] default: practice chips @returns {number | null}
   */
  balance(currency) {
    if (!this.me) return null;
    const { cents } = this.me;
    return Math.max(0, (currency ? cents[currency] : cents[PRACTICE] ?? Object.values(cents)[0]) ?? 0);
  }

  /**
   * Adds a change to the balance until the next `load` returns the server's balance. A wager is a negative change. A response to an earlier request is ignored.
   * @param {string} currency @param {number} change in cents
   */
  adjustBalance(currency, change) {
    if (!this.me || change === 0) return;
    const { cents: before } = this.me;
    this.#set({ ...this.me, cents: { ...before, [currency]: (before[currency] ?? 0) + change } });
  }

  /** Loads the session from the server; `null` if there is none. Ignores a response that arrives after that of a later request. @returns {Promise<SessionPlayer | null>} */
  async load() {
    if (!isFlagStored()) return null;
    const number = ++this.#number;
    try {
      return this.#set(await ask("/api/session"), number);
    } catch (error) {
      if (error instanceof ApiError && error.code === "no_session") return this.#set(null, number);
      throw error;
    }
  }

  /** Returns the session; creates a guest if there is none. Concurrent calls share one request. @returns {Promise<SessionPlayer>} */
  begin() {
    if (this.me) return Promise.resolve(this.me);
    this.#beginning ??= ask("/api/session", { body: {} })
      .then((me) => /** @type {SessionPlayer} */ (this.#set(me)))
      .finally(() => { this.#beginning = null; });
    return this.#beginning;
  }

  /** Replaces the session after a sign-in, or by a newer state of the player that the server returned. @param {SessionPlayer | null} me */
  replace(me) {
    return this.#set(me);
  }

  /** @param {string} name */
  async rename(name) {
    this.#set(await ask("/api/session", { method: "PATCH", body: { name } }));
  }

  /** Requests more practice chips. */
  async chips() {
    this.#set(await ask("/api/session/chips", { method: "POST" }));
  }

  /** Ends the session. A guest cannot return to the seats and chips; an account signs in again. */
  async end() {
    await ask("/api/session", { method: "DELETE" });
    this.#set(null);
  }
}

export const session = new Session();

const STORAGE_KEY = "paigow.session";

/** Stores whether there is a session, so that the page makes no session request for a new visitor. @param {boolean} exists */
function storeFlag(exists) {
  try {
    if (exists) localStorage.setItem(STORAGE_KEY, "yes");
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, `load` asks the server every time.
  }
}

function isFlagStored() {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return true;
  }
}

/** @type {Map<string, Promise<any>>} */
const cache = new Map();

/** Sends a request once and caches the response, for data that does not change while the page is open. Errors are not cached. @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export function askOnce(path, body) {
  const key = `${path} ${JSON.stringify(body ?? null)}`;
  let response = cache.get(key);
  if (!response) {
    response = ask(path, body === undefined ? {} : { body });
    response.catch(() => cache.delete(key));
    cache.set(key, response);
  }
  return response;
}

/** Returns a random id for a command. Not `crypto.randomUUID`: browsers offer it only on https and localhost. */
export const newId = () => toHex(crypto.getRandomValues(new Uint8Array(16)));
/** Returns the API path of a table. @param {string} table */
export const tablePath = (table) => `/api/tables/${encodeURIComponent(table)}`;
/** Returns the rules of a table. @param {string} table @returns {Promise<import("./protocol").TableRulesAnswer>} */
export const tableRules = (table) => askOnce(`${tablePath(table)}/rules`);
/** Returns all rule books with their wagers and paytables. @returns {Promise<import("./protocol").BookSummary[]>} */
export const books = () => askOnce("/api/books").then(({ books: all }) => all);
/** Returns the rules of a book in plain language. @param {string} book @returns {Promise<import("./protocol").RulesAnswer>} */
export const rules = (book) => askOnce(`/api/books/${encodeURIComponent(book)}`);
/** Returns the book's term for the banker. @param {import("./protocol").RulesAnswer} rules */
export const bankerTerm = ({ terms }) => terms.banker;
/** Returns the house ways that come with the program. @returns {Promise<import("./protocol").HouseWayEntry[]>} */
export const houseWays = () => askOnce("/api/house-ways").then(({ house_ways: all }) => all);
/** Returns a house way with its clauses. @param {string} way @returns {Promise<import("./protocol").HouseWayText>} */
export const houseWayText = (way) => askOnce(`/api/house-ways/${encodeURIComponent(way)}`);
/** Returns the strategy cards that come with the program. @returns {Promise<import("./protocol").CardEntry[]>} */
export const strategyCards = () => askOnce("/api/cards").then(({ cards }) => cards);
/** Sets a hand by the house way. @param {import("./protocol").SetQuestion} question @returns {Promise<import("./protocol").SetAnswer>} */
export const houseWay = (question) => askOnce("/api/set", question);
/** Returns the value of every setting of a hand. @param {import("./protocol").BestQuestion} question @returns {Promise<import("./protocol").BestAnswer>} */
export const best = (question) => askOnce("/api/best", question);
