// <pg-house-way>: a house way with its clauses in order.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { books, houseWayText, houseWays, rules, tableRules } from "../api.js";
import { go } from "../router.js";
import { words } from "../words.js";
import { clauseFile, clauseId, clauseList, filterClauses, numbered } from "../rules/clauses.js";
import { houseWayChoices } from "../rules/house-way-choice.js";
import { addressOf } from "../study/address.js";
import { reveal } from "../study/fold.js";
import { QueryComponent } from "../study/query-component.js";
import { faultNote, waiting } from "../study/notes.js";
import { section } from "../study/table.js";

class HouseWay extends QueryComponent {
  /** @type {Record<string, string>} */
  params = {};
  /** @type {import("../protocol").HouseWayText | null} */
  way = null;
  /** @type {import("../protocol").HouseWayEntry[]} */
  ways = [];
  /** @type {import("../protocol").BookSummary[]} */
  books = [];
  /** Rules of the books that use the house way. @type {import("../protocol").RulesAnswer[]} */
  users = [];
  /** Rules of the table that the house way belongs to. @type {import("../protocol").RulesAnswer | null} */
  ofTable = null;
  filter = { find: "", assumed: false };
  fault = "";
  /** Whether the page has scrolled to the clause in the address. */
  #scrolled = false;

  begin() {
    this.#load();
  }

  async #load() {
    this.fault = "";
    try {
      [this.way, this.ways, this.books] = await Promise.all([houseWayText(this.params.way), houseWays(), books()]);
      if (!this.signal.aborted) document.title = words.app.titled(words.rules.houseWay(this.way.title));
      this.update();
      this.users = await Promise.all(this.way.books.map((book) => rules(book)));
      if (this.#table) this.ofTable = (await tableRules(this.#table)).rules;
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }

  /** Id of the table that the house way belongs to; empty for a published one. */
  get #table() {
    return /^table:(.+)$/.exec(this.params.way)?.[1] ?? "";
  }

  queryChanged() {
    this.#scrolled = false;
    this.update();
  }

  /** Number of the clause in the address, or `null`. */
  get #clause() {
    return Number(this.query.get("clause")) || null;
  }

  updated() {
    if (this.#scrolled || !this.way || !this.#clause) return;
    this.#scrolled = true;
    const clause = this.querySelector(`#${clauseId(this.#clause)}`);
    if (clause instanceof HTMLElement) reveal(clause, "center");
  }

  view() {
    const { rules: say } = words;
    const { way } = this;
    if (way) return this.#way(way);
    return h("div", { class: "page rules" },
      h("header", { class: "head" }, h("h1", null, say.houseWays)),
      faultNote(this.fault, () => this.#load()),
      this.fault ? h("p", null, h("a", { href: "/rules" }, say.all)) : waiting(say.loadingWay));
  }

  /** @param {import("../protocol").HouseWayText} way */
  #way(way) {
    const { rules: say } = words;
    const clauses = numbered(way.clauses);
    const found = filterClauses(clauses, this.filter);
    const book = this.ofTable?.book ?? way.books[0];
    return h("div", { class: "page rules" },
      h("header", { class: "head" }, h("h1", null, say.houseWay(way.title)),
        h("dl", { class: "book-facts" },
          h("div", null, h("dt", null, say.source), h("dd", null, way.source)),
          h("div", null, h("dt", null, say.writtenFor), h("dd", null, say.wheel[/** @type {"lowest"} */ (way.ranking.wheel)])),
          h("div", null, h("dt", null, say.usedBy), h("dd", null, this.#table ? h("a", { href: `/table/${encodeURIComponent(this.#table)}` }, say.ownWayUsed)
            : way.books.length ? way.books.map((id, index) => [index > 0 && ", ", h("a", { href: `/rules/${id}` }, this.#book(id))]) : say.usedByNone))),
        this.users.length > 0 && h("p", null, houseWayChoices(this.users)),
        this.#table && h("p", null, say.ownWayOf),
        h("p", { class: "row" }, h("a", { class: "button slim", href: addressOf("/designer", { way: way.id, book }) }, say.editCopy), h("a", { class: "button slim", href: addressOf("/lab", { way: way.id, book }) }, say.inLab),
          h("a", { class: "button slim plain", href: "/cards" }, words.strategy.all))),
      h("div", { class: "book-read" },
        h("div", { class: "book-side stack" },
          h("label", { class: "field" }, say.elsewhereWay, h("select", { ".value": way.id, onchange: (/** @type {any} */ event) => go(`/house-ways/${event.target.value}`) },
            this.#table && h("option", { value: way.id, key: way.id }, way.title), this.ways.map(({ id, title }) => h("option", { value: id, key: id }, title)))),
          h("label", { class: "field" }, say.findClause, h("input", { type: "search", placeholder: say.findClauseLike, ".value": this.filter.find, oninput: (/** @type {any} */ event) => { this.filter = { ...this.filter, find: event.target.value }; this.update(); } })),
          h("p", { class: "small", role: "status" }, this.filter.find.trim() ? say.clausesFound(found.length) : ""),
          h("p", null, h("a", { href: "/rules" }, say.all))),
        h("div", { class: "stack book-parts" },
          section("clauses", say.clauses(clauses.length), clauseFile(way.id, clauses),
            h("p", { class: "small" }, say.houseWayWhy),
            clauseList(found, this.#clause)))));
  }

  /** @param {string} id */
  #book(id) {
    return this.books.find((book) => book.id === id)?.title ?? id;
  }
}

define("pg-house-way", HouseWay);
