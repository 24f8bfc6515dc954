// The dock for banking: take, pass or give back the bank, change the cover, pick a pile.

import { h } from "../dom.js";
import { cents, short } from "../money.js";
import { words } from "../words.js";
import { bets } from "./dock-wagers.js";
import { coverText, isBanking } from "./model.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** The dock while the bank is offered to the viewer, or taken by the viewer. @param {TableState} state @param {View} view */
export function dockBank(state, view) {
  const mine = isBanking(view);
  const covers = view.round?.bank?.covers_cents ?? 0;
  const say = words.banker(view.facts.terms.banker);
  return h("div", { key: mine ? "banks" : "offered", class: "dock-grid" },
    h("div", { class: "stack" },
      h("p", { class: "lead" }, h("b", null, mine ? say.yours(short(covers)) : say.offeredTo(words.table.you.toLowerCase())), " ", h("span", { class: "small" }, mine && view.round?.bank?.action_cents ? `${sentence(coverText(view.round.bank))} ` : "", mine ? say.waits : say.why)),
      coverForm(state, view, mine ? say.change : say.take, covers),
      mine && view.facts.banking.piles > 0 && piles(state, view),
      mine && bankerWagers(state, view)),
    h("div", { class: "acts" },
      mine ? h("button", { class: "button", onclick: () => state.send({ do: "give_bank_back" }) }, say.giveBack)
        : h("button", { class: "button", onclick: () => state.send({ do: "pass_bank" }) }, words.bank.pass, h("kbd", { "aria-hidden": "true" }, "N"))));
}

/** An offer to bank, at tables where the dealer banks unless a player does. @param {TableState} state @param {View} view */
export function bankOffer(state, view) {
  const { banking } = view.facts;
  if (!banking.seats || banking.offered || view.round?.bank) return null;
  const last = view.last_bank;
  const limitReached = last?.player === view.player && banking.rounds_max !== null && last !== null && last.rounds >= banking.rounds_max;
  if (limitReached) return null;
  const say = words.banker(view.facts.terms.banker);
  return h("details", { class: "bank-offer" }, h("summary", null, say.offer), coverForm(state, view, say.take, 0));
}

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** @param {TableState} state @param {View} view @param {string} label @param {number} covers */
function coverForm(state, view, label, covers) {
  const say = words.banker(view.facts.terms.banker);
  const first = covers || Math.max(view.facts.wagers[0].min_cents, Math.floor((state.balance ?? 0) / 2 / 100) * 100);
  return h("form", { class: "cover", onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    const amount = cents(new FormData(event.target).get("cover")?.toString() ?? "");
    if (amount === null) {
      state.fault = words.bank.noAmount;
      state.changed();
    } else {
      state.send({ do: "take_bank", cents: amount });
    }
  } },
  h("label", { class: "field" }, view.facts.banking.covers_all ? say.amountAll : say.amount,
    h("input", { name: "cover", inputmode: "decimal", autocomplete: "off", ".defaultValue": (first / 100).toFixed(2) })),
  h("button", { class: ["button", { primary: covers === 0 }] }, label));
}

/** @param {TableState} state @param {View} view */
function piles(state, view) {
  const picked = view.round?.pile ?? null;
  return h("fieldset", { class: "piles" }, h("legend", { class: "small" }, words.bank.pile),
    Array.from({ length: view.facts.banking.piles }, (_, index) => index + 1).map((pile) =>
      h("button", { key: pile, class: ["pile", { on: picked === pile }], "aria-pressed": picked === pile ? "true" : "false", "aria-label": words.bank.pick(pile),
        onclick: () => state.send({ do: "pick_pile", pile }) }, h("pg-card", { quiet: true }), h("b", null, pile))));
}

/** Side wagers that the banker may make. @param {TableState} state @param {View} view */
function bankerWagers(state, view) {
  const wagers = view.facts.wagers.filter((facts) => facts.banker_wagers);
  return wagers.length > 0 && h("div", { class: "stack" }, h("p", { class: "small" }, words.banker(view.facts.terms.banker).side), bets(state, view, wagers));
}
