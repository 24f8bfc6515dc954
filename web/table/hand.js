// A hand on the felt: seven cards in a row, or the low hand and the high hand once it is set.

import { h } from "../dom.js";
import { cardsOf, JOKER, sorted } from "../cards/card-text.js";
import { cardName, highHandName, lowHandName, shortHighHandName } from "../cards/names.js";
import { words } from "../words.js";
import { handRanks } from "./model.js";

/**
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** @param {HandView} hand @param {Ranking} ranking */
export function hand(hand, ranking) {
  const ranks = handRanks(hand, ranking);
  const part = (/** @type {string} */ name, /** @type {string[]} */ cards, /** @type {string | null} */ joker) =>
    h("span", { class: `hand-cards-${name}` }, cards.map((card, index) => h("pg-card", { key: index, card: card || null, as: card === JOKER ? joker : null, quiet: true })));
  const backs = (/** @type {number} */ count) => Array(count).fill("");
  if (!hand.set) return h("span", { class: "hand-cards" }, part("all", hand.cards ? sorted(cardsOf(hand.cards)) : backs(7), null), unseen(hand, ranking));
  return h("span", { class: ["hand-cards", "is-set", { foul: hand.foul }] },
    part("low", hand.low ? cardsOf(hand.low) : backs(2), ranks?.low.joker ?? null),
    part("high", hand.high ? cardsOf(hand.high) : backs(5), ranks?.high.joker ?? null),
    unseen(hand, ranking));
}

/** Returns the names of both hands, the low hand first; `null` unless the hand is open and set. @param {HandView | null} hand @param {Ranking} ranking @returns {[string, string] | null} */
export function handNames(hand, ranking) {
  const ranks = handRanks(hand, ranking);
  return ranks && [lowHandName(ranks.low), highHandName(ranks.high)];
}

/** Returns the names of both hands, shortened for small spaces. @param {HandView | null} hand @param {Ranking} ranking @returns {[string, string] | null} */
export function shortHandNames(hand, ranking) {
  const ranks = handRanks(hand, ranking);
  return ranks && [lowHandName(ranks.low), shortHighHandName(ranks.high)];
}

/** @param {HandView} hand @param {Ranking} ranking */
function unseen(hand, ranking) {
  return h("span", { class: "unseen" }, handSentence(hand, ranking));
}

/** Describes a hand in a sentence, for screen readers and the text view. @param {HandView} hand @param {Ranking} ranking */
export function handSentence(hand, ranking) {
  const names = handNames(hand, ranking);
  if (names) {
    const ranks = handRanks(hand, ranking);
    const list = (/** @type {string | null} */ text, /** @type {string | null | undefined} */ joker) =>
      cardsOf(text).map((card) => cardName(card, joker ?? undefined)).join(", ");
    return words.hands.open(names[0], list(hand.low, ranks?.low.joker), names[1], list(hand.high, ranks?.high.joker), hand.foul === true);
  }
  if (hand.cards) return words.hands.cards(sorted(cardsOf(hand.cards)).map((card) => cardName(card)).join(", "));
  return hand.set ? words.hands.set : words.hands.unset;
}
