// The dock for wagers: a spot for each wager, the chip tray, and the actions deal, repeat, double and clear.

import { h } from "../dom.js";
import { money, onChip, short } from "../money.js";
import { words } from "../words.js";
import { bankOffer } from "./dock-bank.js";
import { chip } from "./chip.js";
import { BASE } from "./reduce.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 * @typedef {import("./view-types.js").WagerFacts} WagerFacts
 */

/** @param {TableState} state @param {View} view */
export function dockWagers(state, view) {
  const { own, chips } = state;
  const { draft } = chips;
  const { faults } = chips;
  const some = stakes.total(draft) > 0;
  const settled = own && stakes.same(draft, own.wagers);
  return h("div", { key: "wagers", class: "dock-grid dock-wagers" },
    h("div", { class: "stack" },
      h("p", { class: "lead" }, h("b", null, some ? words.wager.total(money(stakes.total(draft))) : words.wager.lead), " ",
        h("span", { class: faults.length > 0 ? "bad" : "small" }, faults.length > 0 ? faults.map((fault) => faultText(fault, view)).join(" ")
          : own?.ready ? words.wager.ready : some ? (settled ? words.wager.placed : words.wager.placing) : words.wager.ask)),
      bets(state, view, view.facts.wagers)),
    h("div", { class: "acts" },
      h("button", { class: "button primary", disabled: !some || faults.length > 0 || own?.ready, onclick: () => chips.confirm() }, own?.ready ? words.wager.isReady : words.wager.go, key("Enter")),
      h("button", { class: "button", disabled: !chips.previous(), onclick: () => chips.repeat() }, words.wager.again, key("A")),
      h("button", { class: "button", disabled: !some, onclick: () => chips.double() }, words.wager.double, key("D")),
      h("button", { class: "button", disabled: !some, onclick: () => chips.setDraft({}) }, words.wager.clear, key("C")),
      bankOffer(state, view)));
}

/** The spots of wagers and the chip tray. @param {TableState} state @param {View} view @param {WagerFacts[]} wagers */
export function bets(state, view, wagers) {
  return [h("div", { class: "bets" }, wagers.map((facts, index) => bet(state, view, facts, index))), tray(state, view)];
}

/** @param {TableState} state @param {View} view @param {WagerFacts} facts @param {number} index */
function bet(state, view, facts, index) {
  const { chips } = state;
  const stake = chips.draft[facts.wager];
  const unplaced = stake && state.own?.wagers[facts.wager]?.cents !== stake.cents;
  const limits = words.lobby.limits(short(facts.min_cents), short(facts.max_cents));
  return h("div", { key: facts.wager, class: ["bet", { base: facts.wager === BASE }] },
    h("button", { class: "bet-spot", "aria-label": words.wager.spot(facts.title, stake ? money(stake.cents) : "", money(chips.chip), limits), onclick: () => chips.add(facts.wager) },
      stake ? chip(stake.cents, { loose: Boolean(unplaced) }) : h("span", { class: "plus", "aria-hidden": "true" }, "+")),
    h("p", { class: "bet-title" }, h("b", null, words.wagerTitle(facts.title)), h("small", { class: "amount" }, stake ? money(stake.cents) : limits)),
    facts.color && h("div", { class: "colors", role: "group", "aria-label": words.wager.color(facts.title, view.facts.terms.color) }, /** @type {const} */ (["red", "black"]).map((color) =>
      h("button", { class: ["color", `on-${color}`], "aria-pressed": stake?.color === color ? "true" : "false",
        onclick: () => chips.setDraft({ ...chips.draft, [facts.wager]: { cents: stake?.cents ?? facts.min_cents, color } }) }, words.table[color]))),
    stake ? h("button", { class: "remove", "aria-label": words.wager.remove(facts.title), onclick: () => chips.setDraft(stakes.without(chips.draft, facts.wager)) }, "×")
      : h("kbd", { class: "wager-key", "aria-hidden": "true" }, index + 1));
}

/** @param {TableState} state @param {View} view */
function tray(state, view) {
  const highest = Math.max(...view.facts.wagers.map((facts) => facts.max_cents));
  return h("fieldset", { class: "tray" }, h("legend", { class: "unseen" }, words.wager.chips),
    stakes.CHIPS.filter((value) => value <= highest).map((value) => h("label", { key: value, class: "tray-chip" },
      h("input", { type: "radio", name: "chip", class: "unseen", value, ".checked": state.chips.chip === value, "aria-label": money(value),
        onchange: () => state.chips.choose(value) }),
      h("span", { class: "chip large", "data-value": value / 100, "aria-hidden": "true" }, h("b", null, onChip(value))))),
    h("p", { class: "balance-left small" }, words.wager.balance, " ", h("b", { class: "amount" }, money(state.balance ?? 0))));
}

/** @param {stakes.StakeFault} fault @param {View} view */
function faultText({ wager, fault }, view) {
  const facts = /** @type {WagerFacts} */ (view.facts.wagers.find((one) => one.wager === wager));
  const { faults } = words.wager;
  return { low: faults.low(facts.title, short(facts.min_cents)), high: faults.high(facts.title, short(facts.max_cents)), base: faults.base(facts.title), color: faults.color(facts.title), funds: words.refused.insufficient_funds }[fault];
}

/** @param {string} name */
const key = (name) => h("kbd", { "aria-hidden": "true" }, name);
