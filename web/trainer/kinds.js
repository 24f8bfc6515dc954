// Kinds of hands for practice, by what makes them hard to set.

import { JOKER, rankOf, suitOf } from "../cards/card-text.js";

/** @typedef {"none" | "pair" | "two_pair" | "three_pair" | "three" | "full" | "four" | "straight" | "straight_pair" | "joker"} Kind */

/** @type {Kind[]} */
export const KINDS = ["none", "pair", "two_pair", "three_pair", "three", "full", "four", "straight", "straight_pair", "joker"];

/** @param {string[]} cards @returns {Kind} */
export function kindOf(cards) {
  if (cards.includes(JOKER)) return "joker";
  const ranks = cards.map(rankOf);
  const counts = [...new Set(ranks)].map((rank) => ranks.filter((other) => other === rank).length).sort((one, other) => other - one);
  const pairs = counts.filter((count) => count === 2).length;
  if (counts[0] === 4) return "four";
  if (counts[0] === 3 && counts[1] >= 2) return "full";
  if (hasStraightOrFlush(cards)) return counts[0] > 1 ? "straight_pair" : "straight";
  if (counts[0] === 3) return "three";
  return /** @type {Kind[]} */ (["none", "pair", "two_pair", "three_pair"])[pairs];
}

/** Whether five of the cards are a straight or a flush. @param {string[]} cards */
function hasStraightOrFlush(cards) {
  if ([..."cdhs"].some((suit) => cards.filter((card) => suitOf(card) === suit).length >= 5)) return true;
  const ranks = new Set(cards.map(rankOf));
  // The ace also counts below the two.
  const has = (/** @type {number} */ rank) => ranks.has(rank === -1 ? 12 : rank);
  return Array.from({ length: 10 }, (_, low) => low - 1).some((low) => [0, 1, 2, 3, 4].every((step) => has(low + step)));
}
