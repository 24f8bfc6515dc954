// Random hands for the hand lab and the trainer. Deals at tables come from the server.

import { DECK, sorted } from "../cards/card-text.js";

/** Returns a uniform random number below `count`. @param {number} count @returns {number} */
function pick(count) {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  return word < 2 ** 32 - (2 ** 32 % count) ? word % count : pick(count);
}

/** Deals seven cards, in descending order. @param {(count: number) => number} [choose] */
export function deal(choose = pick) {
  const deck = [...DECK];
  const hand = Array.from({ length: 7 }, () => deck.splice(choose(deck.length), 1)[0]);
  return sorted(hand);
}

/** Returns a random element of a list. @template T @param {T[]} list @returns {T} */
export const oneOf = (list) => list[pick(list.length)];
