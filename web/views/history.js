// <pg-history>: the player's finished rounds with their expectation, as sums, as a graph and as a list.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { ApiError, ask, session } from "../api.js";
import { words } from "../words.js";
import { RESULTS, filterOf, filtered, queryOf } from "../history/filter.js";
import { graph } from "../history/graph.js";
import { list, sums, wagers } from "../history/parts.js";
import { seriesOf } from "../history/results.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { shortTitle } from "../study/book-title.js";
import { faultNote, waiting } from "../study/notes.js";
import { QueryComponent } from "../study/query-component.js";
import { section } from "../study/table.js";
import { tableName } from "../study/table-name.js";

/**
 * @typedef {import("../history/results.js").RoundResult} RoundResult
 * @typedef {import("../history/filter.js").Filter} Filter
 */

/** Rounds of a request: the server judges each of them exactly, so that a page takes a moment. */
const PAGE = 50;
/** Rounds that are loaded at once, before the player asks for older ones. */
const BATCH = 200;
/** Rows of the list that are shown at first. */
const ROWS = 50;

class History extends QueryComponent {
  /** Loaded rounds, latest first. @type {RoundResult[]} */
  results = [];
  /** Where the next page starts; `null` after the last one. @type {number | null} */
  next = null;
  /** Number of rounds loaded so far, while others are loading. */
  count = 0;
  busy = false;
  noSession = false;
  fault = "";
  rows = ROWS;
  graphTable = false;
  /** @type {Filter} */
  filter = filterOf(new URLSearchParams());
  #loads = 0;
  /** Continues after an error. */
  #retry = () => {};

  queryChanged() {
    this.filter = filterOf(this.query);
    this.update();
  }

  begin() {
    this.on(session, "change", () => this.#sessionChanged());
    this.#restart();
  }

  /** Shows no rounds of a player whose session has ended. */
  #sessionChanged() {
    if (session.me || this.noSession) return;
    this.#loads += 1;
    this.results = [];
    this.busy = false;
    this.noSession = true;
    this.update();
  }

  #restart() {
    this.rows = ROWS;
    this.#load([], undefined);
  }

  /**
   * Loads rounds after the given ones, page by page. Stops when the view is left. The rounds are shown when all are loaded: sums of a part would change meanwhile.
   * @param {RoundResult[]} before @param {number | undefined} next where the next page starts
   */
  async #load(before, next) {
    const load = ++this.#loads;
    /** @type {{ results: RoundResult[], next: number | null | undefined }} */
    let found = { results: before, next };
    this.busy = true;
    this.fault = "";
    this.count = before.length;
    this.update();
    try {
      if (!session.me && !await session.load()) throw new ApiError({ code: "no_session" }, 401);
      do {
        /** @type {import("../history/results.js").ResultsPage} */
        const page = await ask(addressOf("/api/session/results", { limit: PAGE, before: found.next }), { signal: this.signal });
        if (load !== this.#loads) return;
        // In an abandoned round, no hand was dealt.
        found = { results: [...found.results, ...page.results.filter(({ outcome }) => outcome !== "abandoned")], next: page.next };
        this.count = found.results.length;
        this.update();
      } while (found.next !== null && this.count < before.length + BATCH);
      [this.results, this.next] = [found.results, found.next ?? null];
    } catch (error) {
      if (this.signal.aborted || load !== this.#loads) return;
      this.noSession = error instanceof ApiError && error.code === "no_session";
      this.fault = this.noSession ? "" : errorText(error);
      this.#retry = () => this.#load(found.results, found.next ?? undefined);
    }
    this.busy = false;
    this.update();
  }

  /** @param {Partial<Filter>} some */
  #setFilter(some) {
    this.filter = { ...this.filter, ...some };
    this.rows = ROWS;
    replaceQuery("/history", queryOf(this.filter));
    this.update();
  }

  view() {
    const { history: say } = words;
    const { results, busy } = this;
    return h("div", { class: "page history" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      faultNote(this.fault, () => this.#retry()),
      this.noSession ? h("div", { class: "panel stack", key: "none" }, h("p", null, say.noSession), h("div", null, h("a", { class: "button", href: "/" }, say.tables))) : this.#loaded(),
      !busy && !this.noSession && !this.fault && results.length === 0 && h("div", { class: "panel stack", key: "none" }, h("p", null, say.none), h("div", null, h("a", { class: "button", href: "/" }, say.tables))),
      results.length > 0 && this.#content());
  }

  /** The state of loading, and the actions. */
  #loaded() {
    const { history: say } = words;
    const { results, busy } = this;
    if (busy) return h("div", { key: "loading", "aria-busy": "true" }, waiting(say.loading(this.count)), h("progress", { "aria-label": say.loading(0) }));
    return results.length > 0 && h("div", { class: "row", key: "loaded" },
      h("p", { class: "small", role: "status" }, say.loaded(results.length, this.next !== null)),
      this.next !== null && h("button", { type: "button", class: "button slim", onclick: () => this.#load(results, this.next ?? undefined) }, say.older),
      h("button", { type: "button", class: "button slim plain", onclick: () => this.#restart() }, say.again));
  }

  #content() {
    const { history: say } = words;
    const found = filtered(this.results, this.filter);
    return h("div", { class: "history-content", key: "content", "aria-busy": String(this.busy) },
      this.#fields(),
      found.length === 0 ? h("p", { class: "panel", role: "status" }, say.noMatch) : [
        sums(found, this.results.length),
        section("history-graph", say.graph, null, h("p", { class: "small" }, say.graphWhy), graph(seriesOf(found), this.graphTable, (open) => { if (open !== this.graphTable) { this.graphTable = open; this.update(); } })),
        wagers(found),
        list(found, session.me?.player ?? null, { rows: this.rows, more: () => { this.rows *= 2; this.update(); } })]);
  }

  #fields() {
    const { history: say } = words;
    const { filter, results } = this;
    const books = new Map(results.map(({ book, title }) => [book, shortTitle(title)]));
    const tables = new Map(results.filter(({ book }) => !filter.book || book === filter.book).map((result) => [result.table, tableName(result, session.me?.player)]));
    const select = (/** @type {string} */ label, /** @type {string} */ name, /** @type {string} */ value, /** @type {[string, string][]} */ options, /** @type {(value: string) => void} */ choose) =>
      h("label", { class: "field", key: name }, label, h("select", { name, ".value": value, onchange: (/** @type {any} */ event) => choose(event.target.value) },
        options.map(([id, title]) => h("option", { value: id, key: id || "all" }, title))));
    const known = (/** @type {Map<string, string>} */ map, /** @type {string} */ value, /** @type {string} */ all, /** @type {string} */ other) =>
      /** @type {[string, string][]} */ ([["", all], ...map, ...(value && !map.has(value) ? [[value, other]] : [])]);
    return h("form", { class: "panel fields", "aria-label": say.filters, onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      select(say.book, "book", filter.book, known(books, filter.book, say.anyBook, filter.book), (book) => this.#setFilter({ book, table: "" })),
      select(say.table, "table", filter.table, known(tables, filter.table, say.anyTable, say.otherTable), (table) => this.#setFilter({ table })),
      select(say.result, "result", filter.result, RESULTS.map((result) => [result, say.results[result]]), (result) => this.#setFilter({ result: /** @type {Filter["result"]} */ (result) })),
      h("label", { class: "history-given" }, h("input", { type: "checkbox", name: "given", ".checked": filter.given, onchange: (/** @type {any} */ event) => this.#setFilter({ given: event.target.checked }) }), say.given));
  }
}

define("pg-history", History);
