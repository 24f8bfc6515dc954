// <pg-account-chips>: the balances of a player in every currency, and the journal of each.

import { h } from "../dom.js";
import { define } from "../component.js";
import { ask, PRACTICE } from "../api.js";
import { money, signed } from "../money.js";
import { addressOf } from "../study/address.js";
import { waiting } from "../study/notes.js";
import { csvButton, table } from "../study/table.js";
import { words } from "../words.js";
import { movementsOf, tableOf } from "./movements.js";
import { AccountSection } from "./section.js";

/** @typedef {import("./movements.js").Movement} Movement */

/** Transfers of a request, and rows shown at first. */
const PAGE = 500;
const ROWS = 25;

class AccountChips extends AccountSection {
  /** Currency of the shown journal; empty if none is shown. */
  currency = "";
  /** @type {Movement[] | null} */
  movements = null;
  rows = ROWS;

  /** Shows the journal of a currency. @param {string} currency */
  #show(currency) {
    this.currency = currency;
    this.movements = null;
    this.rows = ROWS;
    return this.attempt(async () => {
      /** @type {import("../protocol").JournalTransfer[]} */
      const all = [];
      for (let after = /** @type {number | null} */ (0); after !== null;) {
        /** @type {import("../protocol").Journal} */
        const { transfers, next } = await ask(addressOf("/api/session/journal", { currency, after, limit: PAGE }), { signal: this.signal });
        all.push(...transfers);
        after = next;
      }
      if (this.currency === currency) this.movements = movementsOf(all, this.account?.player ?? "", currency);
    });
  }

  view() {
    const { chips: say } = words.account;
    const balances = Object.entries(this.account?.cents ?? {}).map(([currency, cents]) => ({ currency, cents }));
    return this.panel("chips", say.title,
      table({ caption: say.title, class: "account-balances narrow", rows: balances, key: ({ currency }) => currency, columns: [
        { title: say.currency, head: true, cell: ({ currency }) => nameOf(currency) },
        { title: say.balance, number: true, cell: ({ cents }) => h("span", { class: "amount" }, money(cents)) },
        { title: say.journal, class: "act", cell: ({ currency }) => h("button", { type: "button", class: "button slim", "aria-pressed": String(this.currency === currency), onclick: () => this.#show(currency) },
          say.journal, h("span", { class: "unseen" }, `: ${nameOf(currency)}`)) },
      ] }),
      this.busy && waiting(say.loading),
      this.outcome(),
      this.movements && this.#journal(this.movements));
  }

  /** @param {Movement[]} movements */
  #journal(movements) {
    const { chips: say } = words.account;
    if (movements.length === 0) return h("p", { class: "small", key: "none", role: "status" }, say.none);
    const where = (/** @type {Movement} */ { table: id }) => (id ? tableOf(id, this.account?.player ?? null) : "");
    /** @type {import("../study/table.js").Column<Movement>[]} */
    const columns = [
      { title: say.what, head: true, csv: ({ purpose }) => purpose, cell: ({ purpose }) => say.purposes[purpose] ?? purpose },
      { title: say.when, csv: ({ at }) => new Date(at).toISOString(), cell: ({ at }) => h("time", { datetime: new Date(at).toISOString() }, words.account.when(at)) },
      { title: say.where, csv: ({ table: id }) => id, cell: (one) => one.table && (one.round === null ? where(one) : h("a", { href: `/replay/${encodeURIComponent(one.table)}/${one.round}` }, `${where(one)}, ${say.round(one.round)}`)) },
      { title: words.history.round, csv: ({ round }) => round },
      { title: say.amount, number: true, cell: ({ change }) => h("span", { class: ["amount", change > 0 ? "good" : "bad"] }, signed(change)) },
      { title: say.cents(say.amount), csv: ({ change }) => change },
      { title: say.after, number: true, cell: ({ after }) => h("span", { class: "amount" }, money(after)) },
      { title: say.cents(say.after), csv: ({ after }) => after },
    ];
    return h("div", { class: "stack", key: "journal" },
      h("div", { class: "study-head" }, h("h3", null, `${say.journal}: ${nameOf(this.currency)}`), csvButton(`journal-${this.currency}`, columns, movements)),
      table({ caption: say.journal, class: "account-journal", columns, rows: movements.slice(0, this.rows), key: ({ place }) => place }),
      movements.length > this.rows && h("button", { type: "button", class: "button slim", onclick: () => { this.rows *= 2; this.update(); } }, say.more(Math.min(this.rows, movements.length - this.rows))));
  }
}

/** @param {string} currency */
const nameOf = (currency) => (currency === PRACTICE ? words.account.chips.practice : currency);

define("pg-account-chips", AccountChips);
