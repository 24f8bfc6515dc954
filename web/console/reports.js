// <pg-console-reports>: results by day, table and wager beside their exact expectation.

import { h } from "../dom.js";
import { define } from "../component.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { fraction, round } from "../study/fractions.js";
import { decimal, percent, ratio, thousands } from "../study/numbers.js";
import { table } from "../study/table.js";
import { groupsOf, sumsByCurrency, unlikely } from "./report-sums.js";
import { ConsoleSection, field, scrolling, submits, typed } from "./section.js";

/**
 * @typedef {import("./report-sums.js").ReportSum} ReportSum
 * @typedef {ReportSum & { name: string, total?: boolean }} Line a row of a table on the page
 */

/** Returns the day of a time in UTC. @param {number} ms */
const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10);

class ConsoleReports extends ConsoleSection {
  from = dayOf(Date.now());
  to = dayOf(Date.now());
  /** @type {import("./types.js").Report | null} */
  report = null;

  queryChanged() {
    this.from = this.query.get("from") ?? this.from;
    this.to = this.query.get("to") ?? this.to;
  }

  async load() {
    this.report = await this.ask(addressOf("reports", { from: this.from, to: this.to }));
  }

  #show() {
    replaceQuery("/console/reports", { from: this.from, to: this.to });
    this.reload();
  }

  view() {
    const { reports: say } = words.console;
    return h("div", { class: "console-content" },
      h("form", { class: "panel fields", key: "days", "aria-label": say.days, onsubmit: submits(() => this.#show()) },
        field(say.from, { name: "from", type: "date", required: true, ".value": this.from, oninput: typed((value) => { this.from = value; }) }),
        field(say.to, { name: "to", type: "date", required: true, ".value": this.to, oninput: typed((value) => { this.to = value; }) }),
        h("div", { class: "row" }, h("button", { class: "button primary" }, say.show), h("small", null, say.limit))),
      this.loading(),
      this.report && (this.report.rows.length === 0 ? h("p", { class: "panel", key: "none", role: "status" }, say.none) : this.#content(this.report)));
  }

  /** @param {import("./types.js").Report} report */
  #content({ from, to, rows, unreadable }) {
    const { reports: say } = words.console;
    const marked = rows.filter(({ deviations }) => unlikely(deviations)).length;
    return h("div", { class: "console-content", key: "report" },
      h("p", { role: "status", class: { bad: marked > 0 }, key: "marked" }, say.unlikelyCount(marked)),
      unreadable.length > 0 && h("p", { class: "panel bad", key: "unreadable" }, say.unreadable(unreadable.join(", "))),
      h("section", { class: "panel stack", key: "totals", "aria-labelledby": "report-totals" },
        h("div", { class: "study-head" }, h("h2", { id: "report-totals" }, say.totals), h("a", { class: "button slim plain", href: addressOf("/api/operator/reports", { from, to, format: "csv" }), download: `report-${from}-${to}.csv` }, say.csv)),
        lines(say.totals, say.currency, sumsByCurrency(rows).map(([name, sum]) => ({ ...sum, name }))),
        h("p", { class: "small" }, say.terms)),
      groupsOf(rows).map(({ key, day, table: at, currency, rows: wagers, sum }, index) => {
        const title = say.group(day, at, currency);
        return h("section", { class: "panel stack", key, "aria-labelledby": `report-${index}` },
          h("h2", { id: `report-${index}` }, title),
          lines(title, say.wager, [...wagers.map((row) => ({ ...row, name: row.title })), { ...sum, name: say.total, total: true }]));
      }));
  }
}

/** A table of results. @param {string} caption @param {string} title of the first column @param {Line[]} rows */
function lines(caption, title, rows) {
  const { reports: say } = words.console;
  return scrolling(caption, table({
    caption, rows, key: ({ name, total }) => `${name} ${Boolean(total)}`, class: "console-report", rowClass: ({ total, deviations }) => ({ total, unlikely: unlikely(deviations) !== null }),
    columns: [
      { title, head: true, cell: ({ name }) => name },
      { title: say.wagers, number: true, cell: ({ wagers, voided }) => h("span", null, thousands(wagers), voided > 0 && h("small", { class: "console-line" }, say.voided(voided))) },
      { title: say.handle, number: true, cell: ({ handle_cents: cents }) => money(cents) },
      { title: say.win, number: true, cell: ({ win_cents: cents }) => h("span", { class: cents > 0 ? "good" : cents < 0 ? "bad" : "" }, signed(cents)) },
      { title: say.hold, number: true, cell: ({ hold }) => (hold === null ? unknown() : percent(asDecimal(hold))) },
      { title: say.expected, number: true, cell: (line) => (line.expected === null ? unknown() : h("span", null, signed(round(fraction(line.expected))), line.judged_wagers !== line.wagers && h("small", { class: "console-line" }, say.judged(line.judged_wagers, signed(line.judged_win_cents))))) },
      { title: say.deviation, number: true, cell: ({ deviation_cents: cents }) => (cents === null ? unknown() : money(round(fraction(asFraction(cents))))) },
      { title: say.deviations, number: true, cell: ({ deviations }) => (deviations === null ? unknown() : distance(deviations)) },
    ],
  }));
}

/** The distance from the expectation; an unlikely one with a sign and a word. @param {string} deviations */
function distance(deviations) {
  const { reports: say } = words.console;
  const far = unlikely(deviations);
  const text = decimal(deviations, { decimals: 2, sign: true });
  return far ? h("b", { class: "bad" }, text, " ", far === "above" ? "▲" : "▼", h("small", { class: "console-line" }, say.unlikely[far])) : text;
}

const unknown = () => h("span", { title: words.console.reports.unknownWhy }, words.console.reports.unknown, h("span", { class: "unseen" }, ` ${words.console.reports.unknownWhy}`));

/** Returns a fraction as a decimal. @param {string} exact */
function asDecimal(exact) {
  const [numerator, denominator] = fraction(exact);
  return ratio(numerator, denominator);
}

/** Returns a decimal as a fraction. @param {string} text */
function asFraction(text) {
  const [whole, part = ""] = text.split(".");
  return `${whole}${part}/1${"0".repeat(part.length)}`;
}

define("pg-console-reports", ConsoleReports);
