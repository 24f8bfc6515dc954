// The posted paytables and the limits of every wager.

import { h } from "../dom.js";
import { short } from "../money.js";
import { words } from "../words.js";
import { rowName, rowReading } from "../study/rows.js";
import { citation } from "../study/notes.js";
import { changes } from "./changes.js";

/** @param {import("./view-types.js").View} view @param {import("../protocol").BookSummary | null} book */
export function paytables(view, book) {
  return h("div", { class: "side-text" }, changes(view), view.facts.wagers.map((facts) => {
    const wager = book?.wagers.find((one) => one.wager === facts.wager);
    const table = wager?.paytables.find((one) => one.paytable === facts.paytable);
    return h("section", { key: facts.wager, class: "paytable" },
      h("h2", null, facts.title, facts.paytable && facts.paytable !== "posted" && h("small", null, " ", facts.paytable)),
      h("p", { class: "small" }, words.paytable.limits(short(facts.min_cents), short(facts.max_cents)), " ",
        facts.envy_from_cents !== null && words.paytable.envyFrom(short(facts.envy_from_cents), facts.envy_button ?? ""),
        table && ` ${words.paytable.most(short(Math.min(Math.max(...table.rows.map((row) => row.pays)) * facts.max_cents, wager?.payout_max?.amount_cents ?? Infinity)))}`),
      table && h("table", { class: "pays" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, words.paytable.hand), h("th", { scope: "col" }, words.paytable.pays),
          envies(table) && h("th", { scope: "col" }, words.paytable.envy))),
        h("tbody", null, table.rows.map((row) => h("tr", { key: row.hand ?? row.cards },
          h("th", { scope: "row" }, rowName(row.hand, row.cards), rowReading(row)),
          h("td", { class: "amount" }, row.pays === 0 ? words.paytable.push : words.paytable.toOne(row.pays)),
          envies(table) && h("td", { class: "amount" }, row.envy_cents ? short(row.envy_cents) : "–"))))),
      table && h("p", { class: "small" }, citation(table)));
  }));
}

/** @param {import("../protocol").PaytableRows} table */
const envies = (table) => table.rows.some((row) => row.envy_cents);
