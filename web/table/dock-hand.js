// Setting the hand: seven cards, two of which are the low hand. What both hands are, and whether they are legal, is said in words.

import { h } from "../dom.js";
import { settings } from "../settings.js";
import { JOKER } from "../cards/card-text.js";
import { highHand, lowHand, mayStand } from "../cards/evaluate.js";
import { cardName, highWords, lowWords } from "../cards/names.js";
import { words } from "../words.js";
import { worthTable } from "./coach.js";
import { hand as laid, handWords } from "./hand.js";

/**
 * @typedef {import("./state.js").TableState} TableState
 * @typedef {import("./view-types.js").HandView} HandView
 */

/** @param {TableState} state @param {HandView} hand */
export function dockHand(state, hand) {
  if (hand.set) return isSet(state, hand);
  const says = reading(state);
  return h("div", { key: "hand", class: "dock-grid dock-hand" },
    h("fieldset", { class: "seven" },
      h("legend", { class: "unseen" }, words.set.legend),
      h("p", { class: "reading", role: "status" }, says.words, says.note && h("span", { class: ["note", says.legal ? "small" : "bad"] }, says.note)),
      h("div", { class: "seven-cards" }, state.hand.cards.map((card, place) => pick(state, card, place, says.joker(card)))),
      h("p", { class: "small hint" }, words.set.hint)),
    h("div", { class: "acts" },
      h("button", { class: "button primary", "aria-disabled": state.hand.front.length !== 2 ? "true" : null, onclick: () => state.hand.confirm(says.legal) },
        state.hand.sure && !says.legal ? words.set.foulAnyway : words.set.confirm, key("Enter")),
      h("button", { class: "button", onclick: () => state.hand.askHouseWay() }, words.set.houseWay, key("H")),
      h("button", { class: "button", disabled: state.hand.front.length === 0, onclick: () => state.hand.clear() }, words.set.clear, key("C")),
      settings.value.coach && h("button", { class: "button", onclick: () => state.hand.judge() }, words.set.worth, key("W"))),
    settings.value.coach && state.hand.worth && worthTable(state, state.hand.worth.settings, state.hand.front, 0));
}

/** @param {TableState} state @param {string} card @param {number} place @param {string | null} as */
function pick(state, card, place, as) {
  const on = state.hand.front.includes(card);
  return h("label", { key: card, class: ["pick", { on }], style: { "--place": place } },
    h("input", { type: "checkbox", class: "unseen", ".checked": on, "aria-label": words.set.pick(cardName(card, as ?? undefined)), onchange: () => state.hand.toggle(card) }),
    h("pg-card", { card, as, quiet: true }),
    h("span", { class: "pick-key", "aria-hidden": "true" }, on ? words.set.inLow : place + 1));
}

/** What the cards that are picked make, and what is to be said of it. @param {TableState} state */
export function reading(state) {
  const { hand, ranking } = state;
  const { front, cards } = hand;
  /** @type {(card: string) => string | null} */
  const none = () => null;
  if (front.length !== 2) {
    const text = front.length === 0 ? words.set.pickTwo : words.set.pickOne(cardName(front[0]));
    return { words: text, note: "", legal: true, joker: none };
  }
  const low = lowHand(front, ranking);
  const high = highHand(cards.filter((card) => !front.includes(card)), ranking);
  const legal = mayStand(high, low);
  const text = [h("span", null, words.set.low, " ", h("b", null, lowWords(low))), h("span", null, words.set.high, " ", h("b", null, highWords(high))),
    h("span", { class: legal ? "good" : "bad" }, legal ? words.set.legal : words.set.foul)];
  const house = hand.isHouseWay() && hand.house ? words.set.asHouse(hand.house.says, hand.house.cite) : "";
  const foul = legal ? "" : words.set.why(lowWords(low), highWords(high));
  return { words: text, note: foul || house, legal, joker: (/** @type {string} */ card) => (card !== JOKER ? null : front.includes(card) ? low.joker : high.joker) };
}

/** @param {TableState} state @param {HandView} hand */
function isSet(state, hand) {
  const both = handWords(hand, state.ranking);
  const waits = state.view?.seats.filter((seat) => seat.hand && !seat.hand.set).length ?? 0;
  return h("div", { key: "set", class: "set-done" },
    laid(hand, state.ranking),
    h("div", { class: "stack" },
      both && h("p", { class: "reading" }, h("span", null, words.set.low, " ", h("b", null, both[0])), h("span", null, words.set.high, " ", h("b", null, both[1]))),
      h("p", { class: "small" }, words.set.by[hand.by ?? "player"], " ", waits > 0 ? words.set.waits(waits) : "")));
}

/** @param {string} name */
const key = (name) => h("kbd", { "aria-hidden": "true" }, name);
