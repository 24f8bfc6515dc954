// <pg-rules>: the list of rule books and house ways, or one book in full.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { bankerTerm, books, houseWays, rules } from "../api.js";
import { go } from "../router.js";
import { words } from "../words.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { bookTitle } from "../study/book-title.js";
import { OpenSections, folds, matches, reveal } from "../study/fold.js";
import { departuresNote, faultNote, waiting } from "../study/notes.js";
import { QueryComponent } from "../study/query-component.js";
import { reportButton } from "../study/report.js";
import { csvButton, section, table } from "../study/table.js";
import { glossarySection, ruleSection, valuesSection, wagerSection, waySection } from "../rules/parts.js";

class Rules extends QueryComponent {
  /** @type {Record<string, string | undefined>} */
  params = {};
  /** @type {import("../protocol").BookSummary[]} */
  books = [];
  /** @type {import("../protocol").HouseWayEntry[]} */
  ways = [];
  /** @type {import("../protocol").RulesAnswer | null} */
  rules = null;
  fault = "";
  filter = { find: "", assumed: false };
  sections = new OpenSections("game");
  /** Id of the section in the address, until the page has scrolled to it. */
  #part = "";

  /** Reads the search and the section from the address. */
  queryChanged() {
    this.filter = { ...this.filter, find: this.query.get("find") ?? "" };
    this.sections.search(this.#searching);
    this.#part = this.query.get("part") ?? "";
    if (this.#part) this.sections.set(this.#part, true);
    this.update();
  }

  begin() {
    this.#load();
  }

  updated() {
    if (this.#part && this.rules) this.#scrollTo(this.#part);
  }

  get #searching() {
    return this.filter.find.trim() !== "" || this.filter.assumed;
  }

  async #load() {
    const { book } = this.params;
    this.fault = "";
    try {
      [this.books, this.ways] = await Promise.all([books(), houseWays()]);
      if (book) {
        this.rules = await rules(book);
        if (!this.signal.aborted) document.title = words.app.titled(this.rules.title);
      }
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }

  view() {
    const { rules: say } = words;
    if (this.rules) return this.#book(this.rules);
    return h("div", { class: "page rules" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      faultNote(this.fault, () => this.#load()),
      !this.fault && (this.params.book || !this.books.length) && waiting(say.loading),
      (!this.params.book || this.fault) && h("ul", { class: "books", "aria-label": say.books }, this.books.map((book) => h("li", { key: book.id, class: "panel" },
        h("h2", null, h("a", { href: `/rules/${book.id}` }, book.title)),
        h("p", { class: "small" }, book.source),
        h("p", { class: "tags" }, h("span", { class: "tag" }, say.facts(book.wagers.length, book.wagers.reduce((sum, wager) => sum + wager.paytables.length, 0))),
          h("span", { class: "tag" }, say.wheel[/** @type {"lowest"} */ (book.ranking.wheel)]),
          h("span", { class: "tag" }, say.kindTotal(book.kinds)))))),
      !this.params.book && this.ways.length > 0 && this.#ways());
  }

  #ways() {
    const { rules: say } = words;
    /** @type {import("../study/table.js").Column<import("../protocol").HouseWayEntry>[]} */
    const columns = [
      { title: say.houseWayTitle, head: true, cell: ({ id, title }) => h("a", { href: `/house-ways/${id}` }, title), csv: ({ title }) => title },
      { title: say.clauseCount, number: true, cell: ({ clauses }) => clauses, csv: ({ clauses }) => clauses },
      { title: say.usedBy, cell: ({ books: some }) => (some.length ? some.map((id) => bookTitle(this.books, id)).join(", ") : "–"), csv: ({ books: some }) => some.join(", ") },
      { title: say.edit, cell: ({ id, title, books: [book] }) => h("a", { href: addressOf("/designer", { way: id, book }) }, say.editCopy, h("span", { class: "unseen" }, `: ${title}`)) },
      { title: say.source, class: "way-source", cell: ({ source }) => source, csv: ({ source }) => source },
    ];
    return section("house-ways", say.houseWays, csvButton("house-ways", columns, this.ways), h("p", { class: "small" }, say.houseWaysWhy),
      h("p", { class: "small" }, words.strategy.linked, " ", h("a", { href: "/cards" }, words.strategy.all)),
      table({ caption: say.houseWays, columns, rows: this.ways, key: ({ id }) => id }));
  }

  /** @param {import("../protocol").RulesAnswer} rules */
  #book(rules) {
    const { rules: say } = words;
    const { filter } = this;
    const asRules = (/** @type {import("../protocol").Duty[]} */ all) => all.map(({ rule, says, cite, assumed }) => ({ about: rule, says, cite, assumed }));
    const found = [
      ruleSection("game", say.game, say.gameWhy, rules.rules, filter, bankerTerm(rules)),
      ruleSection("duties", say.duties, say.dutiesWhy, asRules(rules.duties), filter),
      ...rules.wagers.map((wager) => wagerSection(wager, rules.book, filter)),
      waySection(rules, filter),
      glossarySection(rules.glossary, filter),
      ruleSection("notes", say.notes, say.notesWhy, asRules(rules.notes), filter),
      valuesSection(rules.values, rules.kinds, filter),
    ].filter((part) => part !== null);
    return h("div", { class: "page rules" },
      h("header", { class: "head" }, h("h1", null, rules.title),
        h("dl", { class: "book-facts" },
          h("div", null, h("dt", null, say.source), h("dd", null, rules.source)),
          rules.effective && h("div", null, h("dt", null, say.effective), h("dd", null, rules.effective)),
          h("div", null, h("dt", null, say.checked), h("dd", null, rules.checked_on)),
          h("div", null, h("dt", null, say.kindsOf), h("dd", null, say.kindTotal(rules.kinds)))),
        reportButton({ book: rules.book })),
      departuresNote(rules.departures),
      h("div", { class: "book-read" },
        h("div", { class: "book-side stack" },
          h("label", { class: "field" }, say.elsewhere, h("select", { ".value": rules.book, onchange: (/** @type {any} */ event) => go(`/rules/${event.target.value}`) },
            this.books.map(({ id, title }) => h("option", { value: id, key: id }, title)))),
          h("label", { class: "field" }, say.find, h("input", { type: "search", placeholder: say.findLike, ".value": filter.find, oninput: (/** @type {any} */ event) => this.#setFilter({ find: event.target.value }) })),
          h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", ".checked": filter.assumed, onchange: (/** @type {any} */ event) => this.#setFilter({ assumed: event.target.checked }) }), h("span", null, say.onlyAssumed)),
          matches(this.#searching, found),
          h("nav", { "aria-label": say.contents, class: "contents" }, h("ul", null, found.map(({ id, title }) => h("li", { key: id }, h("button", { type: "button", onclick: () => this.#open(id) }, title)))))),
        h("div", { class: "stack book-parts" }, folds(found, this.sections, () => this.update()))));
  }

  /** @param {Partial<{ find: string, assumed: boolean }>} some */
  #setFilter(some) {
    this.filter = { ...this.filter, ...some };
    this.sections.search(this.#searching);
    replaceQuery(`/rules/${this.params.book}`, { find: this.filter.find });
    this.update();
  }

  /** Opens a section and scrolls to it. @param {string} id */
  #open(id) {
    this.sections.set(id, true);
    this.#part = id;
    this.update();
  }

  /** @param {string} id */
  #scrollTo(id) {
    this.#part = "";
    const summary = this.querySelector(`[data-part="${CSS.escape(id)}"] > summary`);
    if (summary instanceof HTMLElement) reveal(summary, "start");
  }
}

define("pg-rules", Rules);
