// Cards as text: `As`, `Td`, `Jk`. Twelve is the ace and zero the two.

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const JOKER = "Jk";

/** The cards of a text such as `As Td Jk`. @param {string | null | undefined} text @returns {string[]} */
export function cardsOf(text) {
  return text ? text.trim().split(/\s+/) : [];
}

/** A card's rank as a number; -1 for the joker. @param {string} card */
export const rankOf = (card) => (card === JOKER ? -1 : RANKS.indexOf(card[0]));

/** A card's suit: c, d, h or s; nothing for the joker. @param {string} card */
export const suitOf = (card) => (card === JOKER ? "" : card[1]);

/** All 53 in their fixed order: clubs, diamonds, hearts and spades from the two up, then the joker. */
export const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)).concat(JOKER);

/** From the highest down, the joker first, spades before hearts before diamonds before clubs. @param {string[]} cards */
export function sorted(cards) {
  const place = (/** @type {string} */ card) => (card === JOKER ? 99 : rankOf(card)) * 4 + SUITS.indexOf(suitOf(card));
  return [...cards].sort((one, other) => place(other) - place(one));
}

/** Whether two hands are the same cards. @param {string[]} one @param {string[]} other */
export function sameCards(one, other) {
  return one.length === other.length && one.every((card) => other.includes(card));
}
