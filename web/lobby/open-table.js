// <pg-open-table>: the form that opens a practice table, with a book, side wagers, paytables, clocks and bots. The console extends it for tables of the house.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ApiError, bankerTerm, books, rules } from "../api.js";
import { cents, short } from "../money.js";
import { words } from "../words.js";
import { bookValues } from "./book-values.js";
import { CLOCKED_PHASES, openTable, PACES } from "./own-table.js";

/** @typedef {{ title: string, lead: string, closes: string }} OpenTableTexts */

export class OpenTable extends Component {
  /** Texts that differ between the forms. @type {OpenTableTexts} */
  texts = words.open;
  /** @type {import("../protocol").BookSummary[] | null} */
  books = null;
  book = "";
  /** The rules of the book; `null` until loaded. @type {import("../protocol").RulesAnswer | null} */
  rules = null;
  /** @type {Record<string, string>} */
  paytables = {};
  /** Whether each side wager is offered, where it differs from the book. @type {Record<string, boolean>} */
  offered = {};
  /** @type {import("./book-values.js").ValueEdits} */
  values = { chosen: "", changes: {} };
  /** @type {import("./own-table.js").ClockSeconds} */
  clocks = { ...PACES.usual };
  bots = 3;
  dealerWager = "";
  name = "";
  private = false;
  /** Whether only invited players may sit. */
  invited = false;
  fault = "";
  /** Whether the request was refused because of values that the document fixes. */
  fixed = false;
  busy = false;

  begin() {
    books().then((all) => {
      this.books = all;
      this.#choose(this.book || (all[0]?.id ?? ""));
    }, () => this.update());
  }

  /** @param {Event} event */
  async #open(event) {
    event.preventDefault();
    this.busy = true;
    this.fault = "";
    this.fixed = false;
    this.update();
    try {
      const wager = this.#playsDealer && this.dealerWager ? cents(this.dealerWager) : undefined;
      if (wager === null) throw new ApiError({ code: "no_amount", detail: words.bank.noAmount }, 0);
      const all = this.books?.find((one) => one.id === this.book)?.wagers ?? [];
      const offer = Object.keys(this.offered).length > 0 ? all.filter((one) => this.#offers(one)).map((one) => one.wager) : undefined;
      const paytables = Object.fromEntries(Object.entries(this.paytables).filter(([name]) => !offer || offer.includes(name)));
      await this.open({ book: this.book, paytables, offer, changes: this.values.changes, bots: this.bots, dealer_wager_cents: wager, name: this.name.trim() || undefined, private: this.private, seats: this.invited ? "invited" : "anyone" }, this.clocks);
    } catch (error) {
      this.fixed = error instanceof ApiError && error.code === "fixed_by_document";
      this.fault = errorText(error, this.#term);
    }
    this.busy = false;
    this.update();
  }

  /** Opens the table. @param {Omit<import("../protocol").NewTable, "clocks">} rules @param {import("./own-table.js").ClockSeconds} seconds @returns {Promise<void>} */
  async open(rules, seconds) {
    await openTable(rules, seconds);
  }

  /** Fields before those of the rules. @returns {import("../dom.js").Child} */
  firstFields() {
    return null;
  }

  /** @param {import("../protocol").BookWager} wager */
  #offers(wager) {
    return this.offered[wager.wager] ?? wager.offered;
  }

  /** @param {import("../protocol").BookWager} wager */
  #side(wager) {
    const value = this.rules?.values.find((one) => one.value === `wagers.${wager.wager}.offered`);
    const fixed = value?.kind === "fixed";
    return h("label", { key: wager.wager },
      h("input", { type: "checkbox", disabled: fixed, ".checked": this.#offers(wager), onchange: (/** @type {any} */ event) => { this.offered = { ...this.offered, [wager.wager]: event.target.checked }; this.update(); } }),
      wager.title, fixed && h("small", null, " ", words.rules.kinds.fixed, ", ", h("cite", null, value.cite)));
  }

  get #term() {
    return this.rules ? bankerTerm(this.rules) : "banker";
  }

  /** Whether the dealer plays against a banking player. */
  get #playsDealer() {
    return this.rules?.values.some(({ value, is }) => value === "banking.plays_dealer" && is === "true") ?? false;
  }

  /** The book's table minimum, in cents. */
  get #minimum() {
    return cents(this.rules?.values.find(({ value }) => value === "base_game.limits.min")?.is ?? "") ?? 0;
  }

  view() {
    const book = this.books?.find((one) => one.id === this.book);
    if (!book) return null;
    const bank = words.banker(this.#term);
    return h("section", { class: "panel open-table", "aria-labelledby": "open-table" },
      h("header", { class: "head" }, h("h2", { id: "open-table" }, this.texts.title), h("p", null, this.texts.lead)),
      h("form", { class: "open-form", onsubmit: (/** @type {Event} */ event) => this.#open(event) },
        this.firstFields(),
        h("label", { class: "field", key: "name" }, words.open.name,
          h("input", { maxlength: 24, placeholder: words.open.noName, ".value": this.name, oninput: (/** @type {any} */ event) => { this.name = event.target.value; } })),
        h("fieldset", { class: "choices wide", key: "private" }, h("legend", null, words.open.listed), h("label", null,
          h("input", { type: "checkbox", ".checked": this.private, onchange: (/** @type {any} */ event) => { this.private = event.target.checked; this.update(); } }), words.open.private), h("label", null,
          h("input", { type: "checkbox", ".checked": this.invited, onchange: (/** @type {any} */ event) => { this.invited = event.target.checked; this.update(); } }), words.open.invited)),
        select(words.open.book, this.book, this.books ?? [], (one) => [one.id, one.title], (id) => this.#choose(id)),
        book.wagers.length > 0 && h("fieldset", { class: "choices wide", key: "sides" }, h("legend", null, words.open.sides), book.wagers.map((wager) => this.#side(wager))),
        book.wagers.filter((wager) => this.#offers(wager) && wager.paytables.filter((one) => one.available).length > 1).map((wager) =>
          select(words.open.paytable(wager.title), this.paytables[wager.wager] ?? wager.default,
            wager.paytables.filter((one) => one.available), (one) => [one.paytable, one.paytable],
            (name) => { this.paytables = { ...this.paytables, [wager.wager]: name }; this.update(); })),
        select(words.open.bots, String(this.bots), [0, 1, 2, 3, 4, 5, 6], (count) => [String(count), words.open.botCount(count)], (count) => { this.bots = Number(count); }),
        h("fieldset", { class: "choices wide", key: "pace" }, h("legend", null, words.open.pace),
          /** @type {(keyof typeof PACES)[]} */ (Object.keys(PACES)).map((pace) => h("label", null,
            h("input", { type: "radio", name: "pace", ".checked": CLOCKED_PHASES.every((part) => this.clocks[part] === PACES[pace][part]),
              onchange: () => { this.clocks = { ...PACES[pace] }; this.update(); } }), words.open.paces[pace]))),
        h("details", { class: "wide", key: "clocks" }, h("summary", null, words.open.clocks),
          h("div", { class: "open-clocks" }, CLOCKED_PHASES.map((part) => h("label", { class: "field" }, part === "bank" ? bank.clock : words.open.parts[part],
            h("input", { type: "number", min: 1, max: PACES.own[part], required: true, ".value": String(this.clocks[part]),
              onchange: (/** @type {any} */ event) => { this.clocks = { ...this.clocks, [part]: Number(event.target.value) }; this.update(); } }))),
            this.#playsDealer && h("label", { class: "field" }, bank.dealerWager,
              h("input", { inputmode: "decimal", placeholder: words.open.minimum(short(this.#minimum)), ".value": this.dealerWager,
                onchange: (/** @type {any} */ event) => { this.dealerWager = event.target.value; } })))),
        this.rules && bookValues(this.rules.values, this.values, (edits) => { this.values = edits; this.update(); }),
        this.fault && h("p", { class: "fault wide", role: "alert" }, this.fixed && `${words.open.fixed} `, this.fault),
        h("div", { class: "wide row" }, h("button", { class: "button primary", disabled: this.busy }, words.open.open), h("small", null, this.texts.closes))));
  }

  /** @param {string} book */
  #choose(book) {
    this.book = book;
    this.rules = null;
    this.paytables = {};
    this.offered = {};
    this.values = { chosen: "", changes: {} };
    this.dealerWager = "";
    this.update();
    rules(book).then((loaded) => {
      if (this.book === book) this.rules = loaded;
      this.update();
    }, () => {});
  }
}

/** @template T @param {string} title @param {string} value @param {T[]} all @param {(one: T) => [string, string]} name @param {(value: string) => void} choose */
function select(title, value, all, name, choose) {
  return h("label", { class: "field", key: title }, title,
    h("select", { ".value": value, onchange: (/** @type {any} */ event) => choose(event.target.value) },
      all.map((one) => h("option", { value: name(one)[0] }, name(one)[1]))));
}

define("pg-open-table", OpenTable);
