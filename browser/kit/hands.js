// Legal and foul settings of a hand, by the page's evaluator.

import { cardsOf } from "../../web/cards/card-text.js";
import { highHand, isLegalSetting, lowHand } from "../../web/cards/evaluate.js";

/** The ranking of most books: a semi-wild joker, the wheel second highest. */
const RANKING = /** @type {const} */ ({ joker: "semi_wild", wheel: "second_highest" });

/** Returns all low hands of seven cards. @param {string[]} cards */
export function lowHands(cards) {
  return cards.flatMap((one, index) => cards.slice(index + 1).map((other) => [one, other]));
}

/** Whether a low hand gives a legal setting. @param {string[]} cards @param {string[]} low */
export function isLegal(cards, low) {
  return isLegalSetting(highHand(cards.filter((card) => !low.includes(card)), RANKING), lowHand(low, RANKING));
}

/** Returns a low hand that gives a legal setting. @param {string[]} cards */
export const legalLow = (cards) => /** @type {string[]} */ (lowHands(cards).reverse().find((low) => isLegal(cards, low)));

/** Returns a low hand that gives a foul, if there is one. @param {string[]} cards */
export const foulLow = (cards) => lowHands(cards).find((low) => !isLegal(cards, low));

export { cardsOf };
