// Hand ranks, only to name hands on the page. The server decides every result.

import { JOKER, RANKS, rankOf, suitOf } from "./card-text.js";

/**
 * @typedef {{ joker: string, wheel: string }} Ranking `semi_wild` or `fully_wild`; `lowest` or `second_highest`
 * @typedef {{ category: string, ranks: number[], joker: string | null }} HandRank ranks in order of significance; the card that the joker stands for
 */

/** Categories in ascending order. */
const CATEGORIES = ["high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house",
  "four_of_a_kind", "straight_flush", "royal_flush", "five_of_a_kind"];
const COMPLETE = ["straight", "flush", "straight_flush", "royal_flush"];
const ACE = 12;
const FIVE = 3;

/** Ranks a high hand: five cards. @param {string[]} cards @param {Ranking} ranking @returns {HandRank} */
export function highHand(cards, ranking) {
  const natural = cards.filter((card) => card !== JOKER);
  if (natural.length === cards.length) return { ...classify(natural), joker: null };
  /** @type {HandRank | null} */
  let best = null;
  for (let rank = ACE; rank >= 0; rank--) {
    for (const suit of new Set(natural.map(suitOf))) {
      const card = RANKS[rank] + suit;
      const found = classify([...natural, card]);
      // A flush has no card twice. A semi-wild joker is an ace unless it completes a straight or a flush.
      const duplicate = natural.includes(card) && found.category.includes("flush");
      const allowed = ranking.joker === "fully_wild" || rank === ACE || COMPLETE.includes(found.category);
      if (duplicate || !allowed || (best && !beats(found, best, ranking))) continue;
      const flush = found.category.includes("flush");
      best = { ...found, joker: flush ? card : RANKS[rank] };
    }
  }
  return /** @type {HandRank} */ (best);
}

/** Ranks a low hand: two cards. @param {string[]} cards @param {Ranking} ranking @returns {HandRank} */
export function lowHand(cards, ranking) {
  const others = cards.filter((card) => card !== JOKER).map(rankOf);
  let joker = null;
  while (others.length < 2) {
    const rank = ranking.joker === "fully_wild" ? (others[0] ?? ACE) : ACE;
    others.push(rank);
    joker = RANKS[rank];
  }
  others.sort((one, other) => other - one);
  return { category: others[0] === others[1] ? "pair" : "high_card", ranks: others, joker };
}

/** Whether a setting is legal: the low hand does not rank higher than the high hand. @param {HandRank} high @param {HandRank} low */
export function isLegalSetting(high, low) {
  const pair = low.category === "pair";
  if (high.category === "high_card") return !pair && !less(high.ranks.slice(0, 2), low.ranks);
  if (high.category === "pair") return !pair || high.ranks[0] >= low.ranks[0];
  return true;
}

/** @param {string[]} cards @returns {{ category: string, ranks: number[] }} */
function classify(cards) {
  const flush = new Set(cards.map(suitOf)).size === 1;
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const card of cards) counts.set(rankOf(card), (counts.get(rankOf(card)) ?? 0) + 1);
  const groups = [...counts].sort((one, other) => other[1] - one[1] || other[0] - one[0]);
  const ranks = groups.flatMap(([rank, count]) => Array(count).fill(rank));
  const sizes = groups.map(([, count]) => count).join("");
  const kinds = { 5: "five_of_a_kind", 41: "four_of_a_kind", 32: "full_house", 311: "three_of_a_kind", 221: "two_pair", 2111: "pair" };
  const kind = kinds[/** @type {keyof typeof kinds} */ (/** @type {unknown} */ (sizes))];
  if (kind) return { category: kind, ranks };
  const wheel = ranks[0] === ACE && ranks[1] === FIVE;
  const straight = wheel || ranks[0] - ranks[4] === 4;
  if (wheel) ranks.push(/** @type {number} */ (ranks.shift()));
  if (!straight) return { category: flush ? "flush" : "high_card", ranks };
  if (!flush) return { category: "straight", ranks };
  return { category: ranks[0] === ACE ? "royal_flush" : "straight_flush", ranks };
}

/** @param {{ category: string, ranks: number[] }} one @param {{ category: string, ranks: number[] }} other @param {Ranking} ranking */
function beats(one, other, ranking) {
  const kind = CATEGORIES.indexOf(one.category) - CATEGORIES.indexOf(other.category);
  return kind > 0 || (kind === 0 && less(order(other, ranking), order(one, ranking)));
}

/** @param {{ category: string, ranks: number[] }} hand @param {Ranking} ranking */
function order({ category, ranks }, ranking) {
  if (!category.includes("straight")) return ranks;
  return [ranks[0] === FIVE && ranking.wheel === "second_highest" ? ACE - 0.5 : ranks[0]];
}

/** @param {number[]} one @param {number[]} other */
function less(one, other) {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at >= 0 && one[at] < other[at];
}
