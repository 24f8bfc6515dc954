// <pg-results>: results of the last rounds by wager, compared with their expectation.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { ask, askOnce, best, tablePath, tableRules } from "../api.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { ZERO, plus, round, times } from "../study/fractions.js";
import { waiting } from "../study/notes.js";
import { tableName } from "../study/table-name.js";
import { wagerResults, withWager, worthOfHand, worthOfSide } from "./expectation.js";
import { changesOf } from "./ranking.js";
import { BASE } from "./reduce.js";
import { tone } from "./seat-status.js";

/**
 * @typedef {import("./expectation.js").Tally} Tally
 * @typedef {import("../protocol").RoundRecord} RoundRecord
 * @typedef {import("./view-types.js").View} View
 * @typedef {{ rounds: number, staked: number, net: number, tallies: Tally[], tables: string[], open: boolean }} Sum totals, names of the tables, and whether a round is in progress
 */

const ROUNDS = 20;

class Results extends Component {
  /** @type {string | null} */
  player = null;
  /** Totals of all rounds; `null` until every round is counted. @type {Sum | null} */
  sum = null;
  /** Number of rounds counted, and of all rounds to count. */
  counted = { done: 0, all: 0 };
  /** Titles of wagers. @type {Record<string, string>} */
  titles = {};
  failed = false;
  busy = false;

  begin() {
    if (this.player) this.#load(this.player);
  }

  /** @param {string} player */
  async #load(player) {
    this.busy = true;
    this.failed = false;
    this.counted = { done: 0, all: 0 };
    this.update();
    /** @type {Sum} */
    let sum = { rounds: 0, staked: 0, net: 0, tallies: [], tables: [], open: false };
    /** @type {Map<string, Promise<{ view: View }>>} */
    const tables = new Map();
    try {
      const { rounds } = /** @type {import("../protocol").Rounds} */ (await ask(`/api/session/rounds?limit=${ROUNDS}`, { signal: this.signal }));
      for (const [done, record] of rounds.entries()) {
        if (this.signal.aborted) return;
        this.counted = { done, all: rounds.length };
        this.update();
        if (!tables.has(record.table)) tables.set(record.table, ask(tablePath(record.table), { signal: this.signal }));
        sum = await this.#add(sum, record, (await /** @type {Promise<{ view: View }>} */ (tables.get(record.table))).view, player);
      }
      this.sum = sum;
    } catch {
      this.failed = !this.signal.aborted;
    }
    this.busy = false;
    this.update();
  }

  /** @param {Sum} sum @param {RoundRecord} record @param {View} view @param {string} player @returns {Promise<Sum>} */
  async #add(sum, record, view, player) {
    const played = record.seats.filter((seat) => seat.player === player && record.play?.net_cents?.[seat.seat] !== undefined);
    if (record.outcome === "open") return { ...sum, open: true };
    if (record.outcome !== "settled" || played.length === 0) return sum;
    const rules = await tableRules(record.table);
    const question = { book: record.book, ...changesOf(rules, view) };
    const net = played.reduce((all, { seat }) => all + (record.play?.net_cents?.[seat] ?? 0), 0);
    const staked = played.flatMap(({ wagers }) => Object.values(wagers)).reduce((all, { cents }) => all + cents, 0);
    let { tallies } = sum;
    for (const [own, result] of played.flatMap((seat) => wagerResults(record, seat.seat).map((one) => /** @type {const} */ ([seat, one])))) {
      const facts = view.facts.wagers.find(({ wager }) => wager === result.wager);
      if (!facts) continue;
      this.titles[result.wager] = facts.title;
      if (result.wager === BASE) {
        if (!own.hand?.cards || !own.hand.low) continue;
        const found = worthOfHand((await best({ ...question, cards: own.hand.cards })).settings, own.hand.low, result.cents);
        if (found) tallies = withWager(tallies, result, found.worth, found.best);
      } else {
        /** @type {import("../protocol").OddsAnswer} */
        const { wagers: [odds] } = await askOnce("/api/odds", { ...question, wager: result.wager, paytable: facts.paytable, stake_cents: result.cents });
        // The book decides whether the banker's hand earns the other players an envy bonus.
        const bankerCounts = rules.rules.values.some(({ value, is }) => value === `wagers.${result.wager}.envy.banker_hand` && is === "true");
        const players = record.seats.filter(({ seat, hand }) => hand && (bankerCounts || seat !== record.play?.bank?.seat)).length;
        const worth = worthOfSide(odds, result.cents, players);
        if (worth) tallies = withWager(tallies, result, worth, null);
      }
    }
    const name = tableName({ ...record, title: rules.book.title }, player);
    return { ...sum, rounds: sum.rounds + 1, staked: sum.staked + staked, net: sum.net + net, tallies, tables: [...new Set([...sum.tables, name])] };
  }

  view() {
    const { sum, player } = this;
    const { results: say } = words;
    if (!player) return h("p", { class: "small side-text" }, say.notSeated);
    if (this.failed) return h("p", { class: "small side-text" }, words.app.offline);
    const counting = this.busy && [waiting(say.counting), h("progress", { max: this.counted.all || 1, value: this.counted.done, "aria-label": say.counting })];
    if (!sum) return h("div", { class: "side-text" }, counting);
    return h("div", { class: "side-text", "aria-busy": String(this.busy) },
      counting,
      sum.rounds === 0 ? h("p", { class: "small" }, say.none) : [h("h2", null, say.title(sum.rounds)),
        h("p", { class: "small" }, say.tables(sum.tables)),
        figures([[say.net, sum.net, true], [say.staked, sum.staked, false]])],
      sum.open && h("p", { class: "small" }, say.open),
      sum.tallies.length > 0 && [h("h2", { id: "results-title" }, say.against), this.#table(sum.tallies), this.#settingCost(sum.tallies), h("p", { class: "small" }, say.why)],
      h("button", { class: "button slim", disabled: this.busy, onclick: () => this.#load(player) }, this.busy ? words.app.loading : say.again));
  }

  /** @param {Tally[]} tallies */
  #table(tallies) {
    const { results: say } = words;
    const expected = tallies.reduce((all, tally) => plus(all, tally.expected), ZERO);
    const net = tallies.reduce((all, tally) => all + tally.net, 0);
    const row = (/** @type {string} */ title, /** @type {string} */ small, /** @type {number} */ actual, /** @type {import("../study/fractions.js").Fraction} */ worth) => h("tr", { key: title },
      h("th", { scope: "row" }, title, h("small", null, small)),
      [actual, round(worth), round(plus([BigInt(actual), 1n], times(worth, -1n)))].map((cents) => h("td", { class: ["amount", tone(cents)] }, signed(cents))));
    return h("table", { class: "expected", "aria-labelledby": "results-title" },
      h("thead", null, h("tr", null, [say.wager, say.actual, say.expected, say.luck].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, tallies.map((tally) => row(words.wagerTitle(this.titles[tally.wager] ?? tally.wager), say.of(tally.rounds, money(tally.staked)), tally.net, tally.expected))),
      tallies.length > 1 && h("tfoot", null, row(say.total, "", net, expected)));
  }

  /** Total cost of the player's settings. @param {Tally[]} tallies */
  #settingCost(tallies) {
    const base = tallies.find(({ wager }) => wager === BASE);
    if (!base?.best) return null;
    return figures([[words.results.cost, round(plus(base.expected, times(base.best, -1n))), true]]);
  }
}

/** @param {[string, number, boolean][]} rows */
function figures(rows) {
  return h("dl", { class: "figures" }, rows.map(([title, cents, sign]) => h("div", { key: title }, h("dt", null, title),
    h("dd", { class: ["amount", sign && tone(cents)] }, sign ? signed(cents) : money(cents)))));
}

define("pg-results", Results);
