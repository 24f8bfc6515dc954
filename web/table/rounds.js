// <pg-rounds>: the last rounds of a table, each with a replay and a check of its deal.

import { checkRound } from "../fair/check.js";
import { steps } from "../fair/steps.js";
import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { ask, tablePath } from "../api.js";
import { journal } from "../journal.js";
import { money, signed } from "../money.js";
import { words } from "../words.js";
import { tone } from "./seat-status.js";

/** @typedef {import("../fair/check.js").StepResult} StepResult @typedef {import("../protocol").RoundRecord} RoundRecord */

class Rounds extends Component {
  table = "";
  /** @type {string | null} */
  player = null;
  /** @type {import("./view-types.js").Facts | null} */
  facts = null;
  /** @type {RoundRecord[] | null} */
  rounds = null;
  /** @type {Record<number, StepResult[] | "checking">} */
  checked = {};
  failed = false;
  #last = 0;

  /** Number of the last finished round. A change reloads the list. */
  get last() {
    return this.#last;
  }

  set last(last) {
    const changed = last !== this.#last;
    this.#last = last;
    if (changed && this.isConnected) this.#load();
  }

  begin() {
    this.#load();
  }

  async #load() {
    try {
      this.rounds = (await ask(`${tablePath(this.table)}/rounds?limit=12`, { signal: this.signal })).rounds;
      this.failed = false;
    } catch {
      this.failed = !this.signal.aborted;
    }
    this.update();
    if (!this.player || this.failed) return;
    // Without the journal, the rounds are shown without balances.
    await journal.read(this.player).catch(() => {});
    this.update();
  }

  /** @param {RoundRecord} record */
  async #check(record) {
    if (!this.facts || !record.play) return;
    this.checked = { ...this.checked, [record.round]: "checking" };
    this.update();
    this.checked = { ...this.checked, [record.round]: await checkRound(record.table, record.play, record.seats, this.facts) };
    this.update();
  }

  view() {
    if (this.failed) return h("p", { class: "small" }, words.app.offline);
    if (!this.rounds) return h("p", { class: "loading" }, words.app.loading);
    if (this.rounds.length === 0) return h("p", { class: "small side-text" }, words.rounds.none);
    return h("ol", { class: "rounds" }, this.rounds.map((record) => this.#round(record)));
  }

  /** @param {RoundRecord} record */
  #round(record) {
    const own = record.seats.filter((seat) => seat.player === this.player);
    const nets = own.flatMap(({ seat }) => record.play?.net_cents?.[seat] ?? []);
    const net = nets.length > 0 ? nets.reduce((sum, one) => sum + one, 0) : undefined;
    const balance = own.length > 0 ? journal.balanceOf(record.table, record.round) : null;
    const checked = this.checked[record.round];
    return h("li", { key: record.round, class: "round" },
      h("p", { class: "line-head" }, h("span", null, h("b", null, words.lobby.round(record.round)), " ", h("small", null, words.when(record.ended_at ?? record.opened_at))),
        net !== undefined ? h("b", { class: ["amount", tone(net)] }, signed(net)) : h("small", null, words.rounds.outcomes[/** @type {"settled"} */ (record.outcome)])),
      balance && h("p", { class: "small" }, words.rounds.balance(money(balance.before), money(balance.after))),
      h("div", { class: "row" },
        h("a", { class: "button slim", href: `/replay/${record.table}/${record.round}` }, words.rounds.replay),
        h("button", { class: "button slim", onclick: () => this.#check(record) }, words.rounds.check)),
      h("div", { role: "status" }, Array.isArray(checked) && steps(checked)));
  }
}

define("pg-rounds", Rounds);
