// Cards as text: `As`, `Td`, `Jk`. As a number, a rank is 0 for the two to 12 for the ace.

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const JOKER = "Jk";

/** Splits a text such as `As Td Jk` into cards. @param {string | null | undefined} text @returns {string[]} */
export function cardsOf(text) {
  return text ? text.trim().split(/\s+/) : [];
}

/** Returns the rank of a card as a number; -1 for the joker. @param {string} card */
export const rankOf = (card) => (card === JOKER ? -1 : RANKS.indexOf(card[0]));

/** Returns the suit of a card: c, d, h or s; empty for the joker. @param {string} card */
export const suitOf = (card) => (card === JOKER ? "" : card[1]);

/** All 53 cards in their fixed order: clubs, diamonds, hearts and spades from the two up, then the joker. */
export const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).concat(JOKER);

/** Sorts cards in descending order: the joker first, spades before hearts before diamonds before clubs. @param {string[]} cards */
export function sorted(cards) {
  const order = (/** @type {string} */ card) => (card === JOKER ? 99 : rankOf(card)) * 4 + SUITS.indexOf(suitOf(card));
  return [...cards].sort((one, other) => order(other) - order(one));
}

/** Whether two hands have the same cards, in any order. @param {string[]} one @param {string[]} other */
export function sameCards(one, other) {
  return one.length === other.length && one.every((card) => other.includes(card));
}
