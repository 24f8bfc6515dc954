// Parsing of cards typed or pasted by the player: `As Kd 10c`, `A♠ K♦`, `AsKdTc`, `joker`.

import { JOKER } from "../cards/card-text.js";

/** @type {Record<string, string>} */
const SUITS = { c: "c", d: "d", h: "h", s: "s", "♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s" };

/** Returns the cards of a text, and the parts that are not cards. @param {string} text @returns {{ cards: string[], wrong: string[] }} */
export function readCards(text) {
  /** @type {string[]} */
  const cards = [];
  /** @type {string[]} */
  const wrong = [];
  for (const part of text.replaceAll("\ufe0f", "").split(/[\s,;|/+]+/).filter(Boolean)) {
    const found = [...part.matchAll(/(joker|jk|🃏|x(?![\w]))|(10|[2-9tjqka])([cdhs♣♦♥♠♧♢♡♤])/giy)];
    const length = found.reduce((sum, [all]) => sum + all.length, 0);
    if (length !== part.length) wrong.push(part);
    else cards.push(...found.map(([, joker, rank, suit]) => (joker ? JOKER : (rank === "10" ? "T" : rank.toUpperCase()) + SUITS[suit.toLowerCase()])));
  }
  return { cards, wrong };
}

/** Returns the cards that occur more than once. @param {string[]} cards */
export const duplicates = (cards) => [...new Set(cards.filter((card, index) => cards.indexOf(card) !== index))];
