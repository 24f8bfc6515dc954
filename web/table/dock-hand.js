// The dock for setting the hand: choose the two cards of the low hand. Both hands are named and marked as legal or foul.

import { h } from "../dom.js";
import { settings } from "../settings.js";
import { JOKER } from "../cards/card-text.js";
import { highHand, isLegalSetting, lowHand } from "../cards/evaluate.js";
import { cardName, highHandName, lowHandName } from "../cards/names.js";
import { words } from "../words.js";
import { worthTable } from "./coach.js";
import { hand as handView, handNames } from "./hand.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").HandView} HandView
 */

/** @param {TableState} state @param {HandView} hand */
export function dockHand(state, hand) {
  if (hand.set) return isSet(state, hand);
  const status = settingStatus(state);
  return h("div", { key: "hand", class: "dock-grid dock-hand" },
    h("fieldset", { class: "seven" },
      h("legend", { class: "unseen" }, words.set.legend),
      h("p", { class: "reading", role: "status" }, status.text, status.note && h("span", { class: ["note", status.legal ? "small" : "bad"] }, status.note)),
      h("div", { class: "seven-cards" }, state.hand.cards.map((card, index) => pick(state, card, index, status.joker(card)))),
      h("p", { class: "small hint" }, words.set.hint)),
    h("div", { class: "acts" },
      h("button", { class: "button primary", "aria-disabled": state.hand.low.length !== 2 ? "true" : null, onclick: () => state.hand.confirm(status.legal) },
        state.hand.foulConfirmed && !status.legal ? words.set.foulAnyway : words.set.confirm, key("Enter")),
      h("button", { class: "button", onclick: () => state.hand.askHouseWay() }, words.set.houseWay, key("H")),
      h("button", { class: "button", disabled: state.hand.low.length === 0, onclick: () => state.hand.clear() }, words.set.clear, key("C")),
      settings.value.coach && h("button", { class: "button", onclick: () => state.hand.loadWorth() }, words.set.worth, key("W"))),
    settings.value.coach && state.hand.worth && worthTable(state, state.hand.worth.settings, state.hand.low, 0));
}

/** @param {TableState} state @param {string} card @param {number} index @param {string | null} as */
function pick(state, card, index, as) {
  const on = state.hand.low.includes(card);
  return h("label", { key: card, class: ["pick", { on }], style: { "--index": index } },
    h("input", { type: "checkbox", class: "unseen", ".checked": on, "aria-label": words.set.pick(cardName(card, as ?? undefined)), onchange: () => state.hand.toggle(card) }),
    h("pg-card", { card, as, quiet: true }),
    h("span", { class: "pick-key", "aria-hidden": "true" }, on ? words.set.inLow : index + 1));
}

/** Returns the status of the setting so far: text, note, whether it is legal, and the card that the joker stands for. @param {TableState} state */
export function settingStatus(state) {
  const { hand, ranking } = state;
  const { low: chosen, cards } = hand;
  /** @type {(card: string) => string | null} */
  const none = () => null;
  if (chosen.length !== 2) {
    const text = chosen.length === 0 ? words.set.pickTwo : words.set.pickOne(cardName(chosen[0]));
    return { text, note: "", legal: true, joker: none };
  }
  const low = lowHand(chosen, ranking);
  const high = highHand(cards.filter((card) => !chosen.includes(card)), ranking);
  const legal = isLegalSetting(high, low);
  const text = [h("span", null, words.set.low, " ", h("b", null, lowHandName(low))), h("span", null, words.set.high, " ", h("b", null, highHandName(high))),
    h("span", { class: legal ? "good" : "bad" }, legal ? words.set.legal : words.set.foul)];
  const house = hand.isHouseWay() && hand.house ? words.set.asHouse(hand.house.says, hand.house.cite) : "";
  const foul = legal ? "" : words.set.why(lowHandName(low), highHandName(high));
  return { text, note: foul || house, legal, joker: (/** @type {string} */ card) => (card !== JOKER ? null : chosen.includes(card) ? low.joker : high.joker) };
}

/** @param {TableState} state @param {HandView} hand */
function isSet(state, hand) {
  const names = handNames(hand, state.ranking);
  const unset = state.view?.seats.filter((seat) => seat.hand && !seat.hand.set).length ?? 0;
  return h("div", { key: "set", class: "set-done" },
    handView(hand, state.ranking),
    h("div", { class: "stack" },
      names && h("p", { class: "reading" }, h("span", null, words.set.low, " ", h("b", null, names[0])), h("span", null, words.set.high, " ", h("b", null, names[1]))),
      h("p", { class: "small" }, words.set.by[hand.by ?? "player"], " ", unset > 0 ? words.set.waits(unset) : "")));
}

/** @param {string} name */
const key = (name) => h("kbd", { "aria-hidden": "true" }, name);
