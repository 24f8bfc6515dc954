// The rail for banking: take or pass the bank, change the cover, pick a pile.

import { h } from "../dom.js";
import { cents, short } from "../money.js";
import { words } from "../words.js";
import { coverText } from "./model.js";
import { alt, goButton, say, sec } from "./rail-parts.js";
import { tray } from "./rail-wagers.js";
import * as stakes from "./stakes.js";

/**
 * @typedef {import("./scene.js").Scene & { state: import("./state.js").TableState }} Scene
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").View} View
 */

/** The rail while the bank is offered to the viewer. @param {Scene} scene @returns {import("./rail-parts.js").RailParts} */
export function bankRail({ state, view }) {
  const bank = words.banker(view.facts.terms.banker);
  return {
    middle: h("div", { class: "bank-middle" }, coverForm(state, view, "cover-form", null), h("p", { class: "roomy" }, bank.why)),
    alt: alt(words.bank.pass, "N", () => state.send({ do: "pass_bank" })),
    go: goButton(bank.take, "", null, { form: "cover-form" }),
  };
}

/** The rail while the viewer banks and wagers are open. @param {Scene} scene @returns {import("./rail-parts.js").RailParts} */
export function bankerRail({ state, view }) {
  const bank = words.banker(view.facts.terms.banker);
  const held = view.round?.bank;
  const sides = view.facts.wagers.some((facts) => facts.banker_wagers);
  return {
    left: [
      sec(bank.giveBack, "", () => state.send({ do: "give_bank_back" }), { key: "give" }),
      sides && sec(words.board.alt.undo, "Z", stakes.total(state.chips.draft) > 0 ? () => state.chips.undo() : null, { key: "undo" }),
    ],
    middle: h("div", { class: "bank-middle" }, say(bank.yours(short(held?.covers_cents ?? 0)), held?.action_cents ? sentence(coverText(held)) : bank.waits), sides && tray(state, view, "")),
    alt: alt(words.board.alt.amount, "", openBank),
    go: goButton(words.board.go.deal, words.board.go.others, null),
  };
}

/** An offer to bank, at tables where the dealer banks unless a player does. @param {Scene} scene */
export function bankOffer({ view }) {
  const { banking } = view.facts;
  if (!banking.seats || banking.offered || view.round?.bank) return null;
  const last = view.last_bank;
  const limitReached = last?.player === view.player && banking.rounds_max !== null && last !== null && last.rounds >= banking.rounds_max;
  return !limitReached && sec(words.banker(view.facts.terms.banker).offer, "", openBank, { key: "bank" });
}

/** The dialog with the cover and the piles. @param {Scene} scene */
export function bankSheet({ state, view }) {
  const { banking } = view.facts;
  const mine = view.you !== null && view.round?.bank?.seat === view.you;
  const bank = words.banker(view.facts.terms.banker);
  if (!banking.seats || view.phase !== "wagers" || (view.round?.bank && !mine)) return null;
  return h("dialog", { class: "sheet bank-sheet", id: "bank-sheet", "aria-labelledby": "bank-title", onclick: (/** @type {any} */ event) => event.target === event.currentTarget && closeBank() },
    h("div", { class: "stack" },
      h("div", { class: "sheet-head" }, h("h2", { id: "bank-title" }, mine ? bank.yours(short(view.round?.bank?.covers_cents ?? 0)) : bank.offer), h("button", { class: "icon", "aria-label": words.app.close, onclick: closeBank }, "×")),
      h("p", { class: "small" }, bank.why),
      coverForm(state, view, "bank-form", mine ? bank.change : bank.take),
      mine && banking.piles > 0 && piles(state, view),
      mine && view.facts.wagers.some((facts) => facts.banker_wagers) && h("p", { class: "small" }, bank.side)));
}

const openBank = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("bank-sheet"))?.showModal();
const closeBank = () => /** @type {HTMLDialogElement | null} */ (document.getElementById("bank-sheet"))?.close();

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** @param {TableState} state @param {View} view @param {string} id @param {string | null} label of the button; `null` without a button */
function coverForm(state, view, id, label) {
  const bank = words.banker(view.facts.terms.banker);
  const covers = view.round?.bank?.covers_cents ?? 0;
  const first = covers || Math.max(view.facts.wagers[0].min_cents, Math.floor((state.balance ?? 0) / 2 / 100) * 100);
  return h("form", { class: "cover", id, key: id, onsubmit: (/** @type {any} */ event) => {
    event.preventDefault();
    const amount = cents(new FormData(event.target).get("cover")?.toString() ?? "");
    if (amount === null) {
      state.fault = words.bank.noAmount;
      state.changed();
    } else {
      closeBank();
      state.send({ do: "take_bank", cents: amount });
    }
  } },
  h("label", { class: "field" }, h("span", null, view.facts.banking.covers_all ? bank.amountAll : bank.amount),
    h("input", { name: "cover", inputmode: "decimal", autocomplete: "off", ".defaultValue": (first / 100).toFixed(2) })),
  label && h("button", { class: ["button", { primary: covers === 0 }] }, label));
}

/** @param {TableState} state @param {View} view */
function piles(state, view) {
  const picked = view.round?.pile ?? null;
  return h("fieldset", { class: "piles" }, h("legend", { class: "small" }, words.bank.pile),
    Array.from({ length: view.facts.banking.piles }, (_, index) => index + 1).map((pile) =>
      h("button", { key: pile, class: ["pile", { on: picked === pile }], "aria-pressed": picked === pile ? "true" : "false", "aria-label": words.bank.pick(pile),
        onclick: () => state.send({ do: "pick_pile", pile }) }, h("pg-card", { quiet: true }), h("b", null, pile))));
}
