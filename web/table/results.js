// <pg-results>: results of the last rounds by wager, compared with their expectation.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { ask } from "../api.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { sumOf, wagerRows } from "../history/results.js";
import { waiting } from "../study/notes.js";
import { tableName } from "../study/table-name.js";
import { tone } from "./seat-status.js";

/** @typedef {import("../history/results.js").RoundResult} RoundResult */

const ROUNDS = 20;

class Results extends Component {
  /** @type {string | null} */
  player = null;
  /** The last rounds, latest first; `null` until they are loaded. @type {RoundResult[] | null} */
  results = null;
  failed = false;
  busy = false;

  begin() {
    if (this.player) this.#load();
  }

  async #load() {
    this.busy = true;
    this.failed = false;
    this.update();
    try {
      /** @type {import("../history/results.js").ResultsPage} */
      const page = await ask(`/api/session/results?limit=${ROUNDS}`, { signal: this.signal });
      // Nothing was in action in a void round.
      this.results = page.results.filter(({ outcome }) => outcome === "settled");
    } catch {
      this.failed = !this.signal.aborted;
    }
    this.busy = false;
    this.update();
  }

  view() {
    const { results, player } = this;
    const { results: say } = words;
    if (!player) return h("p", { class: "small side-text" }, say.notSeated);
    if (this.failed) return h("p", { class: "small side-text" }, words.app.offline);
    const counting = this.busy && waiting(say.counting);
    if (!results) return h("div", { class: "side-text" }, counting);
    return h("div", { class: "side-text", "aria-busy": String(this.busy) },
      counting,
      results.length === 0 ? h("p", { class: "small" }, say.none) : this.#sums(results, player),
      h("p", { class: "small" }, say.open),
      h("div", { class: "row" },
        h("a", { class: "button slim", href: "/history" }, say.history),
        h("button", { class: "button slim", disabled: this.busy, onclick: () => this.#load() }, this.busy ? words.app.loading : say.again)));
  }

  /** @param {RoundResult[]} results @param {string} player */
  #sums(results, player) {
    const { results: say } = words;
    const sum = sumOf(results);
    const rows = wagerRows(results);
    const tables = [...new Set(results.map((result) => tableName(result, player)))];
    return [h("h2", null, say.title(results.length)),
      h("p", { class: "small" }, say.tables(tables)),
      figures([[say.net, sum.net, true], [say.staked, sum.staked, false]]),
      rows.length > 0 && [h("h2", { id: "results-title" }, say.against), wagerTable(rows),
        sum.unjudged !== 0 && figures([[say.unjudged, sum.unjudged, true]]), h("p", { class: "small" }, say.why)]];
  }
}

/** @param {ReturnType<typeof wagerRows>} rows */
function wagerTable(rows) {
  const { results: say } = words;
  const row = (/** @type {string} */ title, /** @type {string} */ small, /** @type {number[]} */ amounts) => h("tr", { key: title },
    h("th", { scope: "row" }, title, h("small", null, small)),
    amounts.map((cents) => h("td", { class: ["amount", tone(cents)] }, signed(cents))));
  const total = (/** @type {"net" | "expected" | "given" | "luck"} */ part) => rows.reduce((sum, one) => sum + one[part], 0);
  return h("table", { class: "expected", "aria-labelledby": "results-title" },
    h("thead", null, h("tr", null, [say.wager, say.actual, say.expected, say.given, say.luck].map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", null, rows.map(({ title, times, staked, net, expected, given, luck }) => row(words.wagerTitle(title), say.of(times, money(staked)), [net, expected, given, luck]))),
    rows.length > 1 && h("tfoot", null, row(say.total, "", [total("net"), total("expected"), total("given"), total("luck")])));
}

/** @param {[string, number, boolean][]} rows */
function figures(rows) {
  return h("dl", { class: "figures" }, rows.map(([title, cents, sign]) => h("div", { key: title }, h("dt", null, title),
    h("dd", { class: ["amount", sign && tone(cents)] }, sign ? signed(cents) : money(cents)))));
}

define("pg-results", Results);
