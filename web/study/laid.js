// A setting as it lies, small: two in front, five behind. Words beside it, or for screen readers alone, say the same.

import { h } from "../dom.js";
import { JOKER, cardsOf } from "../cards/card-text.js";
import { highHand, lowHand } from "../cards/evaluate.js";

/** @typedef {import("../cards/evaluate.js").Ranking} Ranking */

/** @param {string | string[]} cards @param {string | null} [joker] what the joker stands for */
export function small(cards, joker) {
  const all = typeof cards === "string" ? cardsOf(cards) : cards;
  return h("span", { class: "small-cards" }, all.map((card, place) => h("pg-card", { key: place, card, as: card === JOKER ? joker : null, quiet: true })));
}

/** @param {{ low: string, high: string }} setting @param {Ranking} ranking */
export function laid({ low, high }, ranking) {
  const jokers = jokersOf({ low, high }, ranking);
  return h("span", { class: "laid-small" }, small(low, jokers.low), small(high, jokers.high));
}

/** What the joker stands for. @param {{ low: string, high: string }} setting @param {Ranking} ranking */
export function jokersOf({ low, high }, ranking) {
  return { low: lowHand(cardsOf(low), ranking).joker, high: highHand(cardsOf(high), ranking).joker };
}
