// <pg-results>: what the last rounds brought, against what the hands were worth as they were set and as they could have been.

import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { ask, best } from "../api.js";
import { cardsOf, sameCards } from "../cards/card-text.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { BASE } from "./reduce.js";
import { tone } from "./spot.js";

/** @typedef {{ rounds: number, staked: number, net: number, base: number, worth: number, best: number, judged: number }} Sum */

const ROUNDS = 20;

class Results extends Piece {
  /** @type {string | null} */
  player = null;
  /** @type {Sum | null} */
  sum = null;
  failed = false;
  busy = false;
  #last = 0;

  get last() {
    return this.#last;
  }

  set last(last) {
    this.#last = last;
  }

  begin() {
    if (this.player) this.#count();
  }

  async #count() {
    this.busy = true;
    this.failed = false;
    /** @type {Sum} */
    const sum = { rounds: 0, staked: 0, net: 0, base: 0, worth: 0, best: 0, judged: 0 };
    try {
      const { rounds } = await ask(`/api/session/rounds?limit=${ROUNDS}`, { signal: this.gone });
      for (const record of rounds) {
        if (this.gone.aborted) return;
        await this.#add(sum, record);
        this.sum = { ...sum };
        this.update();
      }
      this.sum = { ...sum };
    } catch {
      this.failed = !this.gone.aborted;
    }
    this.busy = false;
    this.update();
  }

  /** @param {Sum} sum @param {any} record */
  async #add(sum, record) {
    const own = record.seats.find((/** @type {any} */ seat) => seat.player === this.player);
    const net = own && record.play?.net_cents?.[own.seat];
    if (record.outcome !== "settled" || typeof net !== "number") return;
    sum.rounds += 1;
    sum.net += net;
    const stakes = Object.values(own.wagers).map((wager) => /** @type {any} */ (wager).cents);
    sum.staked += stakes.reduce((one, other) => one + other, 0);
    // What a setting is worth is known against the house's dealer; a bank of one's own or another's is another matter.
    const stake = own.wagers[BASE]?.cents;
    if (!stake || record.play.bank || !own.hand?.low) return;
    const { settings } = await best({ cards: own.hand.cards, book: record.book });
    const chosen = settings.find((/** @type {any} */ setting) => sameCards(cardsOf(setting.low), cardsOf(own.hand.low)));
    if (!chosen) return;
    const line = record.lines.find((/** @type {any} */ one) => one.who === `seat-${own.seat}` && one.wager === BASE && one.stake_cents === stake);
    sum.judged += 1;
    sum.base += line?.net_cents ?? 0;
    sum.worth += Number(chosen.ev) * stake;
    sum.best += Number(settings[0].ev) * stake;
  }

  view() {
    const { sum } = this;
    if (!this.player) return h("p", { class: "small side-text" }, words.results.nobody);
    if (this.failed) return h("p", { class: "small side-text" }, words.app.offline);
    if (!sum) return h("p", { class: "loading" }, words.app.loading);
    const rows = /** @type {[string, number, boolean][]} */ ([[words.results.net, sum.net, true], [words.results.staked, sum.staked, false]]);
    const judged = /** @type {[string, number, boolean][]} */ ([[words.results.base, sum.base, true], [words.results.worth, Math.round(sum.worth), true],
      [words.results.luck, sum.base - Math.round(sum.worth), true], [words.results.cost, Math.round(sum.worth) - Math.round(sum.best), true]]);
    return h("div", { class: "side-text" },
      h("h2", null, words.results.title(sum.rounds)),
      figures(rows),
      sum.judged > 0 && [h("h2", null, words.results.judged(sum.judged)), figures(judged), h("p", { class: "small" }, words.results.why)],
      h("button", { class: "button slim", disabled: this.busy, onclick: () => this.#count() }, this.busy ? words.app.loading : words.results.again));
  }
}

/** @param {[string, number, boolean][]} rows */
function figures(rows) {
  return h("dl", { class: "figures" }, rows.map(([title, cents, sign]) => h("div", { key: title }, h("dt", null, title),
    h("dd", { class: ["amount", sign && tone(cents)] }, sign ? signed(cents) : money(cents)))));
}

define("pg-results", Results);
