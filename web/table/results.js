// <pg-results>: what the last rounds brought, wager by wager, beside what each was worth.

import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { ask, best, once, tablePath, tableRules } from "../api.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { plus, times, whole, NOTHING } from "../study/fractions.js";
import { placedAt, withWager, worthOfHand, worthOfSide } from "./expectation.js";
import { changesOf } from "./ranking.js";
import { BASE } from "./reduce.js";
import { tone } from "./spot.js";

/**
 * @typedef {import("./expectation.js").Tally} Tally
 * @typedef {import("../protocol").RoundRecord} RoundRecord
 * @typedef {import("./view-types.js").View} View
 * @typedef {{ rounds: number, staked: number, net: number, tallies: Tally[] }} Sum
 */

const ROUNDS = 20;

class Results extends Piece {
  /** @type {string | null} */
  player = null;
  /** @type {Sum | null} */
  sum = null;
  /** What wagers are called. @type {Record<string, string>} */
  titles = {};
  failed = false;
  busy = false;

  begin() {
    if (this.player) this.#count(this.player);
  }

  /** @param {string} player */
  async #count(player) {
    this.busy = true;
    this.failed = false;
    /** @type {Sum} */
    let sum = { rounds: 0, staked: 0, net: 0, tallies: [] };
    /** @type {Map<string, Promise<{ view: View }>>} */
    const tables = new Map();
    try {
      const { rounds } = /** @type {import("../protocol").Rounds} */ (await ask(`/api/session/rounds?limit=${ROUNDS}`, { signal: this.gone }));
      for (const record of rounds) {
        if (this.gone.aborted) return;
        if (!tables.has(record.table)) tables.set(record.table, ask(tablePath(record.table), { signal: this.gone }));
        sum = await this.#add(sum, record, (await /** @type {Promise<{ view: View }>} */ (tables.get(record.table))).view, player);
        this.sum = sum;
        this.update();
      }
      this.sum = sum;
    } catch {
      this.failed = !this.gone.aborted;
    }
    this.busy = false;
    this.update();
  }

  /** @param {Sum} sum @param {RoundRecord} record @param {View} view @param {string} player @returns {Promise<Sum>} */
  async #add(sum, record, view, player) {
    const played = record.seats.filter((seat) => seat.player === player && record.play?.net_cents?.[seat.seat] !== undefined);
    if (record.outcome !== "settled" || played.length === 0) return sum;
    const rules = await tableRules(record.table);
    const question = { book: record.book, ...changesOf(rules, view) };
    const net = played.reduce((all, { seat }) => all + (record.play?.net_cents?.[seat] ?? 0), 0);
    const staked = played.flatMap(({ wagers }) => Object.values(wagers)).reduce((all, { cents }) => all + cents, 0);
    let { tallies } = sum;
    for (const [own, placed] of played.flatMap((seat) => placedAt(record, seat.seat).map((one) => /** @type {const} */ ([seat, one])))) {
      const facts = view.facts.wagers.find(({ wager }) => wager === placed.wager);
      if (!facts) continue;
      this.titles[placed.wager] = facts.title;
      if (placed.wager === BASE) {
        if (!own.hand?.cards || !own.hand.low) continue;
        const found = worthOfHand((await best({ ...question, cards: own.hand.cards })).settings, own.hand.low, placed.cents);
        if (found) tallies = withWager(tallies, placed, found.worth, found.best);
      } else {
        /** @type {import("../protocol").Odds} */
        const { wagers: [odds] } = await once("/api/odds", { ...question, wager: placed.wager, paytable: facts.paytable, stake_cents: placed.cents });
        // The book says whether a banking player's own hand earns the others an envy bonus.
        const counts = rules.rules.values.some(({ value, is }) => value === `wagers.${placed.wager}.envy.banker_hand` && is === "true");
        const players = record.seats.filter(({ seat, hand }) => hand && (counts || seat !== record.play?.bank?.seat)).length;
        const worth = worthOfSide(odds, placed.cents, players);
        if (worth) tallies = withWager(tallies, placed, worth, null);
      }
    }
    return { rounds: sum.rounds + 1, staked: sum.staked + staked, net: sum.net + net, tallies };
  }

  view() {
    const { sum, player } = this;
    const { results: say } = words;
    if (!player) return h("p", { class: "small side-text" }, say.nobody);
    if (this.failed) return h("p", { class: "small side-text" }, words.app.offline);
    if (!sum) return h("p", { class: "loading" }, words.app.loading);
    return h("div", { class: "side-text" },
      h("h2", null, say.title(sum.rounds)),
      figures([[say.net, sum.net, true], [say.staked, sum.staked, false]]),
      sum.tallies.length > 0 && [h("h2", { id: "results-title" }, say.against), this.#table(sum.tallies), this.#choices(sum.tallies), h("p", { class: "small" }, say.why)],
      h("button", { class: "button slim", disabled: this.busy, onclick: () => this.#count(player) }, this.busy ? words.app.loading : say.again));
  }

  /** @param {Tally[]} tallies */
  #table(tallies) {
    const { results: say } = words;
    const expected = tallies.reduce((all, tally) => plus(all, tally.expected), NOTHING);
    const net = tallies.reduce((all, tally) => all + tally.net, 0);
    const row = (/** @type {string} */ title, /** @type {string} */ small, /** @type {number} */ came, /** @type {import("../study/fractions.js").Fraction} */ worth) => h("tr", { key: title },
      h("th", { scope: "row" }, title, h("small", null, small)),
      [came, whole(worth), whole(plus([BigInt(came), 1n], times(worth, -1n)))].map((cents) => h("td", { class: ["amount", tone(cents)] }, signed(cents))));
    return h("table", { class: "expected", "aria-labelledby": "results-title" },
      h("thead", null, h("tr", null, [say.wager, say.came, say.expected, say.luck].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", null, tallies.map((tally) => row(words.wagerTitle(this.titles[tally.wager] ?? tally.wager), say.of(tally.rounds, money(tally.staked)), tally.net, tally.expected))),
      tallies.length > 1 && h("tfoot", null, row(say.together, "", net, expected)));
  }

  /** What the choices of settings cost. @param {Tally[]} tallies */
  #choices(tallies) {
    const base = tallies.find(({ wager }) => wager === BASE);
    if (!base?.best) return null;
    return figures([[words.results.cost, whole(plus(base.expected, times(base.best, -1n))), true]]);
  }
}

/** @param {[string, number, boolean][]} rows */
function figures(rows) {
  return h("dl", { class: "figures" }, rows.map(([title, cents, sign]) => h("div", { key: title }, h("dt", null, title),
    h("dd", { class: ["amount", sign && tone(cents)] }, sign ? signed(cents) : money(cents)))));
}

define("pg-results", Results);
