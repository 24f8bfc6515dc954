// Cards somebody could choose, by the page's own reading of them.

import { cardsOf } from "../../web/cards/card-text.js";
import { highHand, lowHand, mayStand } from "../../web/cards/evaluate.js";

/** The ranking of the books with the most tables: a joker for aces, straights and flushes. */
const RANKING = /** @type {const} */ ({ joker: "semi_wild", wheel: "second_highest" });

/** Every two of seven cards. @param {string[]} cards */
export function fronts(cards) {
  return cards.flatMap((one, place) => cards.slice(place + 1).map((other) => [one, other]));
}

/** Whether these two in front of the others may stand. @param {string[]} cards @param {string[]} front */
export function isLegal(cards, front) {
  return mayStand(highHand(cards.filter((card) => !front.includes(card)), RANKING), lowHand(front, RANKING));
}

/** Two cards in front that may stand. @param {string[]} cards */
export const legal = (cards) => /** @type {string[]} */ (fronts(cards).reverse().find((front) => isLegal(cards, front)));

/** Two cards in front that may not; some hands have none. @param {string[]} cards */
export const foul = (cards) => fronts(cards).find((front) => !isLegal(cards, front));

export { cardsOf };
