// <pg-console-journal>: the transfers of the house, with filters and an export.

import { h } from "../dom.js";
import { define } from "../component.js";
import { money } from "../money.js";
import { words } from "../words.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { table } from "../study/table.js";
import { filterOf, PURPOSES, requestOf } from "./journal-filter.js";
import { choice, ConsoleSection, field, scrolling, submits, timeTag, typed } from "./section.js";

/** @typedef {import("../protocol").JournalTransfer} JournalTransfer */

const PAGE = 100;

class ConsoleJournal extends ConsoleSection {
  filter = filterOf(new URLSearchParams());
  /** The filter of the loaded rows. */
  applied = this.filter;
  /** @type {JournalTransfer[]} */
  transfers = [];
  /** @type {number | null} */
  next = null;

  queryChanged() {
    this.filter = this.applied = filterOf(this.query);
  }

  async load() {
    this.applied = this.filter;
    const { transfers, next } = await this.#page(undefined);
    this.transfers = transfers;
    this.next = next;
  }

  /** @param {number | undefined} after @returns {Promise<import("../protocol").Journal>} */
  #page(after) {
    return this.ask(addressOf("journal", { ...requestOf(this.applied), after, limit: PAGE }));
  }

  #more() {
    return this.loadMore(async () => {
      const { transfers, next } = await this.#page(this.next ?? undefined);
      this.transfers = [...this.transfers, ...transfers];
      this.next = next;
    });
  }

  #apply() {
    replaceQuery("/console/journal", this.filter);
    this.reload();
  }

  view() {
    const { journal: say } = words.console;
    const set = (/** @type {keyof typeof this.filter} */ name) => typed((value) => { this.filter = { ...this.filter, [name]: value }; });
    const text = (/** @type {"player" | "table" | "currency"} */ name) => field(say[name], { name, spellcheck: "false", autocapitalize: "none", ".value": this.filter[name], oninput: set(name) });
    const day = (/** @type {"from" | "to"} */ name) => field(say[name], { name, type: "date", ".value": this.filter[name], oninput: set(name) });
    return h("div", { class: "console-content" },
      h("form", { class: "panel fields", "aria-label": say.filters, key: "filters", onsubmit: submits(() => this.#apply()) },
        text("player"), text("table"),
        choice(say.purpose, { name: "purpose", ".value": this.filter.purpose, onchange: set("purpose") }, [["", say.anyPurpose], ...PURPOSES.map((one) => /** @type {[string, string]} */ ([one, say.purposes[one]]))]),
        text("currency"), day("from"), day("to"),
        h("div", null, h("button", { class: "button primary" }, say.apply))),
      this.loading(),
      this.loaded && h("div", { class: "row", key: "found" },
        h("p", { class: "small", role: "status" }, this.transfers.length === 0 && this.next === null ? say.none : say.found(this.transfers.length, this.next !== null)),
        h("a", { class: "button slim plain", href: addressOf("/api/operator/journal", { ...requestOf(this.applied), format: "csv" }), download: "journal.csv" }, say.csv)),
      this.transfers.length > 0 && h("div", { class: "panel", key: "list" }, scrolling(say.list, table({ caption: say.list, rows: this.transfers, key: ({ place }) => place, columns: columns() }))),
      this.next !== null && h("div", { key: "more" }, h("button", { type: "button", class: "button", onclick: () => this.#more() }, words.console.more)));
  }
}

/** @returns {import("../study/table.js").Column<JournalTransfer>[]} */
function columns() {
  const { journal: say } = words.console;
  return [
    { title: say.place, head: true, cell: ({ place }) => String(place) },
    { title: say.at, cell: ({ at }) => timeTag(at) },
    { title: say.debit, cell: ({ from }) => h("code", null, from) },
    { title: say.credit, cell: ({ to }) => h("code", null, to) },
    { title: say.amount, number: true, cell: ({ cents, currency }) => h("span", null, h("span", { class: "amount" }, money(cents)), h("small", { class: "console-line" }, currency)) },
    { title: say.purpose, cell: ({ purpose, kind }) => h("span", null, /** @type {Record<string, string>} */ (say.purposes)[purpose] ?? purpose, kind !== "plain" && h("small", { class: "console-line" }, kind)) },
    { title: say.where, cell: ({ table: at, round }) => (at === null ? words.console.none : round ? h("a", { href: `/replay/${encodeURIComponent(at)}/${round}` }, say.tableRound(at, round)) : at) },
    { title: say.by, cell: ({ by }) => h("code", null, by) },
  ];
}

define("pg-console-journal", ConsoleJournal);
