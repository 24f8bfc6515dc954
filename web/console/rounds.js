// <pg-console-rounds>: finds a round by its table and number, and exports rounds.

import { h } from "../dom.js";
import { define } from "../component.js";
import { go } from "../router.js";
import { words } from "../words.js";
import { addressOf } from "../study/address.js";
import { ConsoleSection, field, submits, typed } from "./section.js";

class ConsoleRounds extends ConsoleSection {
  table = "";
  round = "";
  /** Ids of open tables, as suggestions. @type {string[]} */
  tables = [];

  async load() {
    const { tables } = /** @type {import("./types.js").ConsoleTables} */ (await this.ask("tables"));
    this.tables = tables.map(({ table }) => table);
  }

  view() {
    const { rounds: say } = words.console;
    const table = this.table.trim();
    return h("div", { class: "console-content" },
      this.loading(),
      h("form", { class: "panel stack console-narrow", key: "find", onsubmit: submits(() => go(`/replay/${encodeURIComponent(table)}/${Number(this.round)}`)) },
        h("h2", null, say.find),
        field(say.table, { name: "table", required: true, list: "console-table-ids", spellcheck: "false", autocapitalize: "none", ".value": this.table, oninput: typed((value) => { this.table = value; this.update(); }) }),
        h("datalist", { id: "console-table-ids" }, this.tables.map((id) => h("option", { value: id, key: id }))),
        field(say.round, { name: "round", required: true, type: "number", min: 1, step: 1, ".value": this.round, oninput: typed((value) => { this.round = value; }) }),
        h("div", null, h("button", { class: "button primary" }, say.replay))),
      h("section", { class: "panel stack console-narrow", key: "export", "aria-labelledby": "rounds-export" },
        h("h2", { id: "rounds-export" }, say.export),
        h("p", { class: "small" }, say.exportWhy),
        h("ul", { class: "stack" }, [["csv", say.csv], ["json", say.json]].map(([format, title]) =>
          h("li", { key: format }, h("a", { href: addressOf("/api/operator/rounds", { format, table }), download: `rounds.${format === "csv" ? "csv" : "jsonl"}` }, title))))));
  }
}

define("pg-console-rounds", ConsoleRounds);
