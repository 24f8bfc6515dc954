// A hand as it lies: two in front and five behind once it is set, seven in a row before.

import { h } from "../dom.js";
import { cardsOf, JOKER, sorted } from "../cards/card-text.js";
import { cardName, highShort, highWords, lowWords } from "../cards/names.js";
import { words } from "../words.js";
import { shapesOf } from "./model.js";

/**
 * @typedef {import("./view-types.js").HandView} HandView
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 */

/** @param {HandView} hand @param {Ranking} ranking */
export function hand(hand, ranking) {
  const shapes = shapesOf(hand, ranking);
  const part = (/** @type {string} */ name, /** @type {string[]} */ cards, /** @type {string | null} */ joker) =>
    h("span", { class: `laid-${name}` }, cards.map((card, place) => h("pg-card", { key: place, card: card || null, as: card === JOKER ? joker : null, quiet: true })));
  const backs = (/** @type {number} */ count) => Array(count).fill("");
  if (!hand.set) return h("span", { class: "laid" }, part("all", hand.cards ? sorted(cardsOf(hand.cards)) : backs(7), null), unseen(hand, ranking));
  return h("span", { class: ["laid", "is-set", { foul: hand.foul }] },
    part("low", hand.low ? cardsOf(hand.low) : backs(2), shapes?.low.joker ?? null),
    part("high", hand.high ? cardsOf(hand.high) : backs(5), shapes?.high.joker ?? null),
    unseen(hand, ranking));
}

/** Where a hand will lie, as it is printed on the felt. */
export function printed() {
  return h("span", { class: "printed", "aria-hidden": "true" }, h("i", null, words.felt.low), h("i", null, words.felt.high));
}

/** Both hands in words, the two first. @param {HandView | null} hand @param {Ranking} ranking @returns {[string, string] | null} */
export function handWords(hand, ranking) {
  const shapes = shapesOf(hand, ranking);
  return shapes && [lowWords(shapes.low), highWords(shapes.high)];
}

/** The same where there is little room. @param {HandView | null} hand @param {Ranking} ranking @returns {[string, string] | null} */
export function handShort(hand, ranking) {
  const shapes = shapesOf(hand, ranking);
  return shapes && [lowWords(shapes.low), highShort(shapes.high)];
}

/** @param {HandView} hand @param {Ranking} ranking */
function unseen(hand, ranking) {
  return h("span", { class: "unseen" }, inWords(hand, ranking));
}

/** A hand in a sentence. @param {HandView} hand @param {Ranking} ranking */
export function inWords(hand, ranking) {
  const both = handWords(hand, ranking);
  if (both) {
    const shapes = shapesOf(hand, ranking);
    const named = (/** @type {string | null} */ text, /** @type {string | null | undefined} */ joker) =>
      cardsOf(text).map((card) => cardName(card, joker ?? undefined)).join(", ");
    return words.hands.open(both[0], named(hand.low, shapes?.low.joker), both[1], named(hand.high, shapes?.high.joker), hand.foul === true);
  }
  if (hand.cards) return words.hands.cards(sorted(cardsOf(hand.cards)).map((card) => cardName(card)).join(", "));
  return hand.set ? words.hands.set : words.hands.unset;
}
