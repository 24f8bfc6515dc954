// Hands for looking at and for practice. Nobody's chips hang on them.

import { DECK, sorted } from "../cards/card-text.js";

/** A number from 0 to below so many, each as likely. @param {number} many @returns {number} */
function pick(many) {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  return word < 2 ** 32 - (2 ** 32 % many) ? word % many : pick(many);
}

/** Seven cards, from the highest down. @param {(many: number) => number} [choose] */
export function deal(choose = pick) {
  const deck = [...DECK];
  const hand = Array.from({ length: 7 }, () => deck.splice(choose(deck.length), 1)[0]);
  return sorted(hand);
}

/** One of these. @template T @param {T[]} list @returns {T} */
export const oneOf = (list) => list[pick(list.length)];
