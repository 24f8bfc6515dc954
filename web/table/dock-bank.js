// The bank: taking it, covering more or less, picking a pile, passing it on, giving it back.

import { h } from "../dom.js";
import { cents, money } from "../money.js";
import { words } from "../words.js";
import { banks } from "./model.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** The bank offered to the viewer, or already theirs. @param {TableState} state @param {View} view */
export function dockBank(state, view) {
  const mine = banks(view);
  const covers = view.round?.bank?.covers_cents ?? 0;
  return h("div", { key: mine ? "banks" : "offered", class: "dock-grid" },
    h("div", { class: "stack" },
      h("p", { class: "lead" }, h("b", null, mine ? words.bank.yours(money(covers)) : words.bank.offered), " ", h("span", { class: "small" }, mine ? words.bank.waits : words.bank.why)),
      coverForm(state, view, mine ? words.bank.change : words.bank.take, covers),
      mine && view.facts.banking.piles > 0 && piles(state, view)),
    h("div", { class: "acts" },
      mine ? h("button", { class: "button", onclick: () => state.give({ do: "give_bank_back" }) }, words.bank.giveBack)
        : h("button", { class: "button", onclick: () => state.give({ do: "pass_bank" }) }, words.bank.pass, h("kbd", { "aria-hidden": "true" }, "N"))));
}

/** Where the dealer banks unless a seat wants to. @param {TableState} state @param {View} view */
export function bankOffer(state, view) {
  const { banking } = view.facts;
  if (!banking.seats || banking.offered || view.round?.bank) return null;
  const last = view.last_bank;
  const again = last?.player === view.player && banking.rounds_max !== null && last !== null && last.rounds >= banking.rounds_max;
  if (again) return null;
  return h("details", { class: "bank-offer" }, h("summary", null, words.bank.offer), coverForm(state, view, words.bank.take, 0));
}

/** @param {TableState} state @param {View} view @param {string} act @param {number} covers */
function coverForm(state, view, act, covers) {
  const first = covers || Math.max(view.facts.wagers[0].min_cents, Math.floor((state.purse ?? 0) / 2 / 100) * 100);
  return h("form", { class: "cover", onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    const amount = cents(new FormData(event.target).get("cover")?.toString() ?? "");
    if (amount === null) {
      state.fault = words.bank.noAmount;
      state.changed();
    } else {
      state.give({ do: "take_bank", cents: amount });
    }
  } },
  h("label", { class: "field" }, view.facts.banking.covers_all ? words.bank.coversAll : words.bank.covers,
    h("input", { name: "cover", inputmode: "decimal", autocomplete: "off", ".defaultValue": (first / 100).toFixed(2) })),
  h("button", { class: ["button", { primary: covers === 0 }] }, act));
}

/** @param {TableState} state @param {View} view */
function piles(state, view) {
  const picked = view.round?.pile ?? null;
  return h("fieldset", { class: "piles" }, h("legend", { class: "small" }, words.bank.pile),
    Array.from({ length: view.facts.banking.piles }, (_, place) => place + 1).map((pile) =>
      h("button", { key: pile, class: ["pile", { on: picked === pile }], "aria-pressed": picked === pile ? "true" : "false", "aria-label": words.bank.pick(pile),
        onclick: () => state.give({ do: "pick_pile", pile }) }, h("pg-card", { quiet: true }), h("b", null, pile))));
}
