// A practice table of one's own: any book, any of its paytables, any clocks, with bots or without.

import { h } from "../dom.js";
import { faultWords } from "../fault.js";
import { Piece, define } from "../piece.js";
import { Refused, ask, books, session } from "../api.js";
import { cents } from "../money.js";
import { go } from "../router.js";
import { words } from "../words.js";

/** Seconds for each part of a round. */
const PACES = {
  calm: { bank: 30, wagers: 60, settings: 120, between: 20 },
  usual: { bank: 10, wagers: 20, settings: 30, between: 8 },
  brisk: { bank: 6, wagers: 10, settings: 15, between: 5 },
};
const PARTS = /** @type {const} */ (["bank", "wagers", "settings", "between"]);

class OpenTable extends Piece {
  /** @type {import("../protocol").Book[] | null} */
  books = null;
  book = "";
  /** @type {Record<string, string>} */
  paytables = {};
  clocks = { ...PACES.usual };
  bots = 3;
  dealerWager = "";
  fault = "";
  busy = false;

  begin() {
    books().then((all) => {
      this.books = all;
      this.book ||= all[0]?.id ?? "";
      this.update();
    }, () => this.update());
  }

  /** @param {Event} event */
  async #open(event) {
    event.preventDefault();
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      await session.begin();
      const clocks = Object.fromEntries(PARTS.map((part) => [part, this.clocks[part] * 1000]));
      const wager = cents(this.dealerWager || "0");
      if (wager === null) throw new Refused({ code: "no_amount", detail: words.bank.noAmount }, 0);
      const body = { book: this.book, paytables: this.paytables, clocks, bots: this.bots, dealer_wager_cents: wager };
      const { table } = await ask("/api/tables", { body });
      go(`/table/${table}?sit=1`);
    } catch (error) {
      this.fault = faultWords(error);
    }
    this.busy = false;
    this.update();
  }

  view() {
    const book = this.books?.find((one) => one.id === this.book);
    if (!book) return null;
    return h("section", { class: "panel open-table", "aria-labelledby": "open-table" },
      h("header", { class: "head" }, h("h2", { id: "open-table" }, words.open.title), h("p", null, words.open.lead)),
      h("form", { class: "open-form", onsubmit: (/** @type {Event} */ event) => this.#open(event) },
        select(words.open.book, this.book, this.books ?? [], (one) => [one.id, one.title], (id) => this.#choose(id)),
        book.wagers.map((wager) =>
          select(words.open.paytable(wager.title), this.paytables[wager.wager] ?? wager.default,
            wager.paytables.filter((one) => one.available), (one) => [one.paytable, one.paytable],
            (name) => { this.paytables = { ...this.paytables, [wager.wager]: name }; this.update(); })),
        select(words.open.bots, String(this.bots), [0, 1, 2, 3, 4, 5, 6], (count) => [String(count), words.open.botCount(count)], (count) => { this.bots = Number(count); }),
        h("fieldset", { class: "choices wide" }, h("legend", null, words.open.pace),
          /** @type {(keyof typeof PACES)[]} */ (Object.keys(PACES)).map((pace) => h("label", null,
            h("input", { type: "radio", name: "pace", ".checked": PARTS.every((part) => this.clocks[part] === PACES[pace][part]),
              onchange: () => { this.clocks = { ...PACES[pace] }; this.update(); } }), words.open.paces[pace]))),
        h("details", { class: "wide" }, h("summary", null, words.open.clocks),
          h("div", { class: "open-clocks" }, PARTS.map((part) => h("label", { class: "field" }, words.open.parts[part],
            h("input", { type: "number", min: 1, max: 3600, required: true, ".value": String(this.clocks[part]),
              onchange: (/** @type {any} */ event) => { this.clocks = { ...this.clocks, [part]: Number(event.target.value) }; this.update(); } }))),
            h("label", { class: "field" }, words.open.dealerWager,
              h("input", { inputmode: "decimal", placeholder: "0.00", ".value": this.dealerWager,
                onchange: (/** @type {any} */ event) => { this.dealerWager = event.target.value; } })))),
        this.fault && h("p", { class: "fault wide", role: "alert" }, this.fault),
        h("div", { class: "wide row" }, h("button", { class: "button primary", disabled: this.busy }, words.open.open), h("small", null, words.open.closes))));
  }

  /** @param {string} book */
  #choose(book) {
    this.book = book;
    this.paytables = {};
    this.update();
  }
}

/** @template T @param {string} title @param {string} value @param {T[]} all @param {(one: T) => [string, string]} name @param {(value: string) => void} choose */
function select(title, value, all, name, choose) {
  return h("label", { class: "field", key: title }, title,
    h("select", { ".value": value, onchange: (/** @type {any} */ event) => choose(event.target.value) },
      all.map((one) => h("option", { value: name(one)[0] }, name(one)[1]))));
}

define("pg-open-table", OpenTable);
