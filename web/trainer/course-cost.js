// The cost of a learner's mistakes, weighted by how often each rule decides a hand.

import { ZERO, fraction, plus, times } from "../study/fractions.js";
import { ratio } from "../study/numbers.js";
import { learnedLines, progressOf } from "./course-progress.js";

/** @typedef {import("../study/fractions.js").Fraction} Fraction */

/**
 * Returns the cost of the mistakes per hand dealt, exactly: for each rule, the mean cost of the last answers times its share of all hands. Hands on
 * which rules meet are practiced more often than they are dealt, so both kinds of hands of a rule have their own mean. Hands that no answer stands
 * for cost nothing; `covered` is the share of the others.
 * @param {import("./course-progress.js").CardEntry} card @param {import("./course-progress.js").CourseProgress} progress
 * @returns {{ card: string, best: string, covered: string }} decimals: against the card's setting, against the best setting
 */
export function mistakeCost(card, progress) {
  const all = BigInt(card.hands);
  /** @type {Record<"card" | "best", Fraction>} */
  const sums = { card: ZERO, best: ZERO };
  let covered = 0n;
  for (const number of learnedLines(card, progress)) {
    const { hands, contested } = card.lines[number - 1];
    const { costs } = /** @type {import("./course-progress.js").LineProgress} */ (progressOf(card, progress, number));
    for (const [list, weight] of /** @type {const} */ ([[costs.plain, BigInt(hands - contested)], [costs.contested, BigInt(contested)]])) {
      if (!list.length) continue;
      covered += weight;
      for (const key of /** @type {const} */ (["card", "best"])) {
        const sum = list.reduce((total, cost) => plus(total, fraction(cost[key])), ZERO);
        sums[key] = plus(sums[key], times(sum, [weight, all * BigInt(list.length)]));
      }
    }
  }
  return { card: ratio(...sums.card), best: ratio(...sums.best), covered: ratio(covered, all) };
}
