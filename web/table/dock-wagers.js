// Placing chips: a circle for each wager, chips to choose from, and what can be done with all of them.

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
        h("span", { class: faults.length > 0 ? "bad" : "small" }, faults.length > 0 ? faults.map((fault) => faultWords(fault, view)).join(" ")
          : own?.ready ? words.wager.ready : some ? (settled ? words.wager.placed : words.wager.placing) : words.wager.ask)),
      bets(state, view, view.facts.wagers)),
    h("div", { class: "acts" },
      h("button", { class: "button primary", disabled: !some || faults.length > 0 || own?.ready, onclick: () => chips.ready() }, own?.ready ? words.wager.isReady : words.wager.go, key("Enter")),
      h("button", { class: "button", disabled: !chips.last(), onclick: () => chips.repeat() }, words.wager.again, key("A")),
      h("button", { class: "button", disabled: !some, onclick: () => chips.double() }, words.wager.double, key("D")),
      h("button", { class: "button", disabled: !some, onclick: () => chips.stake({}) }, words.wager.clear, key("C")),
      bankOffer(state, view)));
}

/** Circles for wagers, and chips to put there. @param {TableState} state @param {View} view @param {WagerFacts[]} wagers */
export function bets(state, view, wagers) {
  return [h("div", { class: "bets" }, wagers.map((facts, place) => bet(state, view, facts, place))), tray(state, view)];
}

/** @param {TableState} state @param {View} view @param {WagerFacts} facts @param {number} place */
function bet(state, view, facts, place) {
  const { chips } = state;
  const stake = chips.draft[facts.wager];
  const loose = stake && state.own?.wagers[facts.wager]?.cents !== stake.cents;
  const limits = words.lobby.limits(short(facts.min_cents), short(facts.max_cents));
  return h("div", { key: facts.wager, class: ["bet", { base: facts.wager === BASE }] },
    h("button", { class: "bet-spot", "aria-label": words.wager.spot(facts.title, stake ? money(stake.cents) : "", money(chips.chip), limits), onclick: () => chips.add(facts.wager) },
      stake ? chip(stake.cents, { loose: Boolean(loose) }) : h("span", { class: "plus", "aria-hidden": "true" }, "+")),
    h("p", { class: "bet-title" }, h("b", null, words.wagerTitle(facts.title)), h("small", { class: "amount" }, stake ? money(stake.cents) : limits)),
    facts.color && h("div", { class: "colors", role: "group", "aria-label": words.wager.color(facts.title, view.facts.terms.color) }, /** @type {const} */ (["red", "black"]).map((color) =>
      h("button", { class: ["color", `on-${color}`], "aria-pressed": stake?.color === color ? "true" : "false",
        onclick: () => chips.stake({ ...chips.draft, [facts.wager]: { cents: stake?.cents ?? facts.min_cents, color } }) }, words.table[color]))),
    stake ? h("button", { class: "remove", "aria-label": words.wager.remove(facts.title), onclick: () => chips.stake(stakes.without(chips.draft, facts.wager)) }, "×")
      : h("kbd", { class: "place", "aria-hidden": "true" }, place + 1));
}

/** @param {TableState} state @param {View} view */
function tray(state, view) {
  const most = Math.max(...view.facts.wagers.map((facts) => facts.max_cents));
  return h("fieldset", { class: "tray" }, h("legend", { class: "unseen" }, words.wager.chips),
    stakes.CHIPS.filter((value) => value <= most).map((value) => h("label", { key: value, class: "tray-chip" },
      h("input", { type: "radio", name: "chip", class: "unseen", value, ".checked": state.chips.chip === value, "aria-label": money(value),
        onchange: () => state.chips.choose(value) }),
      h("span", { class: "chip large", "data-value": value / 100, "aria-hidden": "true" }, h("b", null, onChip(value))))),
    h("p", { class: "purse-left small" }, words.wager.purse, " ", h("b", { class: "amount" }, money(state.purse ?? 0))));
}

/** @param {stakes.StakeFault} fault @param {View} view */
function faultWords({ wager, fault }, view) {
  const facts = /** @type {WagerFacts} */ (view.facts.wagers.find((one) => one.wager === wager));
  const { faults } = words.wager;
  return { low: faults.low(facts.title, short(facts.min_cents)), high: faults.high(facts.title, short(facts.max_cents)), base: faults.base(facts.title), color: faults.color(facts.title), funds: words.refused.insufficient_funds }[fault];
}

/** @param {string} name */
const key = (name) => h("kbd", { "aria-hidden": "true" }, name);
