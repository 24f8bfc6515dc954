// Small cards and settings. They are hidden from screen readers; adjacent text names the same hands.

import { h } from "../dom.js";
import { JOKER, cardsOf } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";

/** @typedef {import("../cards/evaluate.js").Ranking} Ranking */

/** @param {string | string[]} cards @param {string | null} [joker] the card that the joker stands for */
export function smallCards(cards, joker) {
  const all = typeof cards === "string" ? cardsOf(cards) : cards;
  return h("span", { class: "small-cards" }, all.map((card, index) => h("pg-card", { key: index, card, as: card === JOKER ? joker : null, quiet: true })));
}

/** A setting: the low hand, then the high hand. @param {{ low: string, high: string }} setting @param {Ranking} ranking */
export function settingCards({ low, high }, ranking) {
  const jokers = jokersOf({ low, high }, ranking);
  return h("span", { class: "hand-cards-small" }, smallCards(low, jokers.low), smallCards(high, jokers.high));
}

/** Returns the card that the joker stands for in each hand. @param {{ low: string, high: string }} setting @param {Ranking} ranking */
export function jokersOf({ low, high }, ranking) {
  return { low: lowHand(cardsOf(low), ranking).joker, high: highHand(cardsOf(high), ranking).joker };
}
