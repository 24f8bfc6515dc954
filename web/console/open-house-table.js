// <pg-open-house-table>: the form that opens a table of the house.

import { h } from "../dom.js";
import { define } from "../component.js";
import { announce } from "../announce.js";
import { OpenTable } from "../lobby/open-table.js";
import { clocksOf } from "../lobby/own-table.js";
import { words } from "../words.js";
import { CommandIds } from "./command-ids.js";
import { field, typed } from "./section.js";
import { operator } from "./session.js";

class OpenHouseTable extends OpenTable {
  texts = { title: words.console.tables.open, lead: words.console.tables.openLead, closes: words.console.tables.openCloses };
  table = "";
  currency = "PRACTICE";
  bots = 0;
  /** Called after a table was opened. */
  opened = () => {};
  /** Result of the last attempt. */
  result = "";
  #ids = new CommandIds();

  /** @param {Omit<import("../protocol").NewTable, "clocks">} rules @param {import("../lobby/own-table.js").ClockSeconds} seconds */
  async open(rules, seconds) {
    this.result = "";
    const request = { table: this.table.trim(), currency: this.currency.trim(), rules: { ...rules, clocks: clocksOf(seconds) } };
    const { table } = await operator.ask("tables", { body: { id: this.#ids.idFor(request), ...request } });
    this.#ids.done(request);
    this.table = "";
    this.result = words.console.tables.opened(table);
    announce(this.result);
    this.opened();
  }

  firstFields() {
    const { tables: say } = words.console;
    return [
      this.result !== "" && h("p", { class: "wide console-result", key: "result" }, h("span", { class: "good" }, "✓ "), this.result),
      field(say.openId, { name: "table", required: true, pattern: "[A-Za-z0-9._:\\-]+", spellcheck: "false", autocapitalize: "none", ".value": this.table, oninput: typed((value) => { this.table = value; }) }, say.openIdWhy),
      field(say.currency, { name: "currency", required: true, spellcheck: "false", ".value": this.currency, oninput: typed((value) => { this.currency = value; }) }),
    ];
  }
}

define("pg-open-house-table", OpenHouseTable);
