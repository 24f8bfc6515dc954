// Names of cards and hands.

import { words } from "../words.js";
import { JOKER, rankOf, suitOf } from "./card-text.js";

/** @typedef {import("./evaluate.js").HandRank} HandRank */

/** Returns the name of a card. @param {string} card @param {string} [as] the card that the joker stands for */
export function cardName(card, as) {
  if (card === JOKER) return as ? words.card.jokerAs(rankName(as), as[1] ? words.card.suits[/** @type {"c"} */ (as[1])] : "") : words.card.joker;
  return words.card.of(words.card.ranks[rankOf(card)], words.card.suits[/** @type {"c"} */ (suitOf(card))]);
}

/** @param {string} card */
const rankName = (card) => words.card.ranks[rankOf(`${card[0]}s`)];

/** Returns the name of a high hand. @param {HandRank} rank */
export function highHandName({ category, ranks }) {
  const one = ranks.map((rank) => words.card.ranks[rank]);
  const many = ranks.map((rank) => words.card.plurals[rank]);
  const { hand } = words;
  switch (category) {
    case "high_card": return one.join("-");
    case "pair": return hand.pair(many[0]);
    case "two_pair": return hand.twoPair(many[0], many[2]);
    case "three_of_a_kind": return hand.three(many[0]);
    case "straight": return hand.straight(one[0]);
    case "flush": return hand.flush(one[0]);
    case "full_house": return hand.fullHouse(many[0], many[4]);
    case "four_of_a_kind": return hand.four(many[0]);
    case "straight_flush": return hand.straightFlush(one[0]);
    case "royal_flush": return hand.royalFlush;
    default: return hand.five(many[0]);
  }
}

/** Returns the name of a high hand, shortened for small spaces. @param {HandRank} rank */
export function shortHighHandName(rank) {
  return rank.category === "high_card" ? words.hand.highCard(words.card.ranks[rank.ranks[0]]) : highHandName(rank);
}

/** Returns the name of a low hand. @param {HandRank} rank */
export function lowHandName({ category, ranks }) {
  if (category === "pair") return words.hand.pair(words.card.plurals[ranks[0]]);
  return ranks.map((rank) => words.card.ranks[rank]).join("-");
}
