// <pg-odds>: exact odds of every wager of every book, with editable paytables.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { ApiError, ask, bankerTerm, books, houseWays, rules } from "../api.js";
import { announce } from "../announce.js";
import { cents, short } from "../money.js";
import { words } from "../words.js";
import { base, underWays } from "../odds/base.js";
import { applyEdits, byField, change, changesText, readChanges, requestRows, rowKey } from "../odds/edits.js";
import { byPlayers, figures, returns } from "../odds/returns.js";
import { replaceQuery } from "../study/address.js";
import { QueryComponent } from "../study/query-component.js";
import { reportButton } from "../study/report.js";
import { percent } from "../study/numbers.js";
import { departuresNote, faultNote, waiting } from "../study/notes.js";

const BASE = "pai-gow";
/** Delay between the last key and the request. */
const TYPING_DELAY_MS = 140;

class Odds extends QueryComponent {
  /** @type {import("../protocol").BookSummary[]} */
  books = [];
  /** @type {{ id: string, title: string }[]} */
  ways = [];
  book = "";
  wager = "";
  paytable = "";
  /** @type {import("../odds/edits.js").Edits} */
  edits = { pays: {}, envy: {} };
  /** @type {number | null} */
  stake = null;
  /** @type {number | null} */
  max = null;
  /** Odds of the edited paytable. @type {import("../protocol").WagerOddsAnswer | null} */
  value = null;
  /** Odds of the printed paytable. @type {import("../protocol").WagerOddsAnswer | null} */
  printed = null;
  /** @type {import("../protocol").BaseGameOdds | null} */
  game = null;
  /** Values of the request that depart from the document. @type {import("../protocol").ChangedValue[]} */
  departures = [];
  /** The book's term for the banker. */
  term = "banker";
  /** Error messages by field. @type {Record<string, string>} */
  faults = {};
  fault = "";
  busy = false;
  seconds = 0;
  exact = false;
  /** Odds of the base game by house way. @type {Map<string, import("../protocol").BaseGameOdds>} */
  counted = new Map();
  counting = "";
  /** @type {AbortController | null} */
  #request = null;
  #timer = 0;

  queryChanged() {
    if (this.isConnected && this.books.length) this.#readQuery();
  }

  begin() {
    this.every(1000, () => { if (this.busy && ++this.seconds > 1) this.update(); });
    this.#load();
  }

  async #load() {
    this.fault = "";
    try {
      this.books = await books();
      this.#readQuery();
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  /** Reads the state from the address. */
  #readQuery() {
    const { query } = this;
    this.book = this.books.some(({ id }) => id === query.get("book")) ? String(query.get("book")) : this.book || this.books[0].id;
    const { wagers } = this.#book;
    const requested = query.get("wager") ?? this.wager;
    this.wager = requested === BASE || wagers.some((one) => one.wager === requested) ? requested : wagers[0]?.wager ?? BASE;
    const tables = this.#wager?.paytables ?? [];
    this.paytable = tables.some((one) => one.paytable === query.get("paytable")) ? String(query.get("paytable")) : this.#wager?.default ?? "";
    const rows = this.#table?.rows ?? [];
    this.edits = { pays: readChanges(query.get("pays"), rows), envy: readChanges(query.get("envy"), rows) };
    this.stake = cents(query.get("stake") ?? "") || null;
    this.max = cents(query.get("max") ?? "") || null;
    this.#reload();
  }

  /** The chosen book. Only valid after the books are loaded. */
  get #book() {
    return /** @type {import("../protocol").BookSummary} */ (this.books.find(({ id }) => id === this.book));
  }

  get #wager() {
    return this.#book?.wagers.find((one) => one.wager === this.wager);
  }

  get #table() {
    return this.#wager?.paytables.find((one) => one.paytable === this.paytable);
  }

  get #rows() {
    return applyEdits(this.#table?.rows ?? [], this.edits);
  }

  get #edited() {
    return Object.keys(this.edits.pays).length + Object.keys(this.edits.envy).length > 0;
  }

  /** The report of the book, with the edits if there are any. @returns {import("../study/report.js").ReportQuestion} */
  get #report() {
    const { book, wager, paytable } = this;
    if (!this.#edited && (this.max === null || wager === BASE)) return { book };
    return { book, wager, paytable, ...(this.#edited ? { rows: JSON.stringify(requestRows(this.#rows)) } : {}), ...(this.max === null ? {} : { payout_max_cents: String(this.max) }) };
  }

  /** Chooses another book, wager or paytable. @param {Partial<{ book: string, wager: string, paytable: string }>} some */
  #choose(some) {
    const book = some.book ?? this.book;
    const wagers = this.books.find(({ id }) => id === book)?.wagers ?? [];
    const wager = some.wager ?? (this.wager === BASE || wagers.some((one) => one.wager === this.wager) ? this.wager : wagers[0]?.wager ?? BASE);
    this.query = new URLSearchParams({ book, wager, ...(some.paytable ? { paytable: some.paytable } : {}), ...(this.stake ? { stake: (this.stake / 100).toString() } : {}) });
  }

  /** Clears all results and requests the odds of the current choice. */
  #reload() {
    this.#stop();
    this.counted = new Map();
    this.value = this.printed = this.game = null;
    this.departures = [];
    this.faults = {};
    this.#loadOdds();
    if (this.wager === BASE) {
      Promise.all([houseWays(), rules(this.book)]).then(([ways, answer]) => {
        this.ways = ways;
        this.term = bankerTerm(answer);
        this.update();
      }).catch(() => {});
    }
  }

  /** Requests the odds. Cancels an earlier request. */
  async #loadOdds() {
    clearTimeout(this.#timer);
    const dollars = (/** @type {number | null} */ amount) => (amount ? (amount / 100).toString() : null);
    replaceQuery("/odds", { book: this.book, wager: this.wager, paytable: this.paytable, pays: changesText(this.edits.pays), envy: changesText(this.edits.envy), stake: dollars(this.stake), max: dollars(this.max) });
    this.#request?.abort();
    const request = this.#request = new AbortController();
    const signal = AbortSignal.any([request.signal, this.signal]);
    this.fault = "";
    this.busy = true;
    this.seconds = 0;
    this.update();
    const question = { book: this.book, wager: this.wager, stake_cents: this.stake ?? undefined };
    /** @returns {Promise<import("../protocol").OddsAnswer>} */
    const oddsOf = (/** @type {object} */ some) => ask("/api/odds", { body: { ...question, ...some }, signal });
    try {
      if (this.wager === BASE) {
        const { base_game: game, departures } = await oddsOf({});
        this.game = game ?? null;
        this.departures = departures;
        if (game) this.counted.set(game.house_way, game);
      } else {
        const paytable = this.paytable;
        this.printed ??= (await oddsOf({ paytable })).wagers[0];
        const edited = this.#edited || this.max !== null;
        const { wagers: [value], departures } = await oddsOf({ paytable, ...(this.#edited ? { rows: requestRows(this.#rows) } : {}), ...(edited && this.max !== null ? { payout_max_cents: this.max } : {}) });
        this.value = value;
        this.departures = departures;
        if (this.#edited) announce(words.odds.say(percent(value.edge, { decimals: 3 }), percent(value.hit_frequency, { decimals: 3 })));
      }
    } catch (error) {
      if (signal.aborted) return;
      const { fields, others } = byField(error instanceof ApiError ? error.faults : [], this.#rows);
      this.faults = { ...this.faults, ...fields };
      if (others.length || !Object.keys(fields).length) this.fault = errorText(error);
    }
    this.busy = false;
    this.update();
  }

  #scheduleLoad() {
    this.update();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#loadOdds(), TYPING_DELAY_MS);
  }

  /** @param {string} id @param {string} fault */
  #setFault(id, fault) {
    const { [id]: _, ...others } = this.faults;
    this.faults = fault ? { ...others, [id]: fault } : others;
  }

  /** @param {import("../odds/edits.js").Row} row @param {string} typed */
  #pay = (row, typed) => {
    const key = rowKey(row);
    // Accept thousands separators, as the page writes them: 5,000.
    const digits = typed.replaceAll(",", "").trim();
    const right = /^\d{1,7}$/.test(digits);
    this.#setFault(`pay-${key}`, right ? "" : words.odds.notWhole);
    if (right) this.edits = { ...this.edits, pays: change(this.edits.pays, key, Number(digits), this.#printedRow(key)?.pays) };
    this.#scheduleLoad();
  };

  /** @param {import("../odds/edits.js").Row} row @param {string} typed */
  #envy = (row, typed) => {
    const key = rowKey(row);
    const amount = typed.trim() === "" ? 0 : cents(typed);
    this.#setFault(`envy-${key}`, amount === null ? words.odds.notAmount : "");
    if (amount !== null) this.edits = { ...this.edits, envy: change(this.edits.envy, key, amount, this.#printedRow(key)?.envy_cents ?? 0) };
    this.#scheduleLoad();
  };

  /** @param {string} key */
  #printedRow(key) {
    return this.#table?.rows.find((row) => rowKey(row) === key);
  }

  #reset = () => {
    this.edits = { pays: {}, envy: {} };
    this.max = null;
    this.faults = {};
    this.#loadOdds();
  };

  /** @param {"stake" | "max"} field @param {string} typed */
  #amount(field, typed) {
    const amount = typed.trim() === "" ? null : cents(typed);
    const wrong = typed.trim() !== "" && !amount;
    this.#setFault(field, wrong ? words.odds.notAmount : "");
    if (!wrong) this[field] = amount;
    this.#scheduleLoad();
  }

  async #countAll() {
    const [book, stop] = [this.book, new AbortController()];
    this.#counter = stop;
    for (const { id } of this.ways) {
      if (this.counted.has(id)) continue;
      this.counting = id;
      this.update();
      try {
        const { base_game: game } = await ask("/api/odds", { body: { book, wager: BASE, house_way: id }, signal: AbortSignal.any([stop.signal, this.signal]) });
        this.counted.set(id, game);
      } catch (error) {
        if (!stop.signal.aborted && !this.signal.aborted) this.fault = errorText(error);
        break;
      }
    }
    if (this.#counter === stop) this.#stop();
    this.update();
  }

  /** @type {AbortController | null} */
  #counter = null;

  #stop() {
    this.#counter?.abort();
    this.#counter = null;
    this.counting = "";
    this.update();
  }

  view() {
    const { odds: say } = words;
    const toggle = () => { this.exact = !this.exact; this.update(); };
    const { value, printed } = this;
    const shown = value && printed && { value, printed, rows: this.#rows, edits: this.edits, exact: this.exact, edited: this.#edited, busy: this.busy, faults: this.faults,
      pay: this.#pay, envy: this.#envy, reset: this.#reset, toggle };
    const way = this.ways.find(({ id }) => id === this.game?.house_way)?.title ?? this.game?.house_way ?? "";
    return h("div", { class: "page odds" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      this.books.length > 0 && this.#fields(),
      faultNote(this.fault, () => (this.books.length ? this.#loadOdds() : this.#load())),
      this.busy && !this.value && !this.game && waiting(this.seconds > 1 ? `${say.countingLong} ${say.waited(this.seconds)}` : say.counting),
      departuresNote(this.departures),
      (this.value || this.game) && reportButton(this.#report),
      shown && h("div", { class: "stack", key: "wager" }, figures(shown), h("div", { class: "odds-two" }, returns(shown), byPlayers(shown))),
      this.game && h("div", { class: "stack", key: "game" }, base(this.game, { way, term: this.term, exact: this.exact, toggle }),
        underWays({ ways: this.ways, counted: this.counted, counting: this.counting, book: this.#book.house_way, exact: this.exact, toggle,
          begin: () => this.#countAll(), stop: () => this.#stop() })));
  }

  #fields() {
    const { odds: say, study } = words;
    const select = (/** @type {string} */ label, /** @type {string} */ name, /** @type {string} */ value, /** @type {(value: string) => void} */ choose, /** @type {[string, string][]} */ options) =>
      h("label", { class: "field", key: name }, label, h("select", { name, ".value": value, onchange: (/** @type {any} */ event) => choose(event.target.value) },
        options.map(([id, title]) => h("option", { value: id, key: id }, title))));
    const amount = (/** @type {"stake" | "max"} */ field, /** @type {string} */ label, /** @type {string} */ placeholder) => h("label", { class: "field", key: field }, label,
      h("input", { name: field, inputmode: "decimal", autocomplete: "off", placeholder, ".defaultValue": this[field] ? short(/** @type {number} */ (this[field])) : "",
        "aria-invalid": this.faults[field] ? "true" : null, oninput: (/** @type {any} */ event) => this.#amount(field, event.target.value) }),
      this.faults[field] && h("small", { class: "fault", role: "alert" }, this.faults[field]));
    const wager = this.#wager;
    const posted = wager?.payout_max?.amount_cents;
    return h("form", { class: "panel fields", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      select(study.book, "book", this.book, (book) => this.#choose({ book }), this.books.map(({ id, title }) => [id, title])),
      select(say.wager, "wager", this.wager, (name) => this.#choose({ wager: name }), [...this.#book.wagers.map((one) => /** @type {[string, string]} */ ([one.wager, one.title])), [BASE, say.baseGame]]),
      wager && wager.paytables.length > 1 && select(say.paytable, "paytable", this.paytable, (paytable) => this.#choose({ paytable, wager: this.wager }),
        wager.paytables.map((one) => [one.paytable, [study.posted(one.paytable), one.also, !one.available && say.notPosted].filter(Boolean).join(" · ")])),
      amount("stake", say.stake, "$25"),
      wager && amount("max", say.max, posted ? short(posted) : say.noMax));
  }
}

define("pg-odds", Odds);
