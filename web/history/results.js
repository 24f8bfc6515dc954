// Sums and running totals of finished rounds, as exact fractions of cents. Only the display rounds them.

import { ZERO, fraction, plus, round } from "../study/fractions.js";

/**
 * @typedef {import("../study/fractions.js").Fraction} Fraction
 * @typedef {import("../protocol").RoundResult} RoundResult
 * @typedef {import("../protocol").Results} ResultsPage
 * @typedef {{ expected: number, given: number, luck: number, unjudged: number, net: number }} Shown parts of a result in whole cents
 * @typedef {{ wager: string, title: string, times: number, staked: number, net: number, expected: Fraction, given: Fraction }} WagerSum
 * @typedef {{ net: number, expected: number, played: number }} Point running totals in whole cents; played: expected with the player's settings
 */

/** Name of the base wager. */
const BASE = "pai-gow";

/** Returns the parts of one result. @param {RoundResult} result */
export const shownResult = (result) => shown({ net: result.net_cents, expected: fraction(result.expected), given: fraction(result.given_away), unjudged: result.unjudged_cents });

/** Returns the sums of results. @param {RoundResult[]} results */
export function sumOf(results) {
  const { net, expected, given, unjudged, staked } = results.reduce((sum, result) => ({
    staked: sum.staked + result.staked_cents,
    net: sum.net + result.net_cents,
    unjudged: sum.unjudged + result.unjudged_cents,
    expected: plus(sum.expected, fraction(result.expected)),
    given: plus(sum.given, fraction(result.given_away)),
  }), { staked: 0, net: 0, unjudged: 0, expected: ZERO, given: ZERO });
  return { rounds: results.length, staked, ...shown({ net, expected, given, unjudged }) };
}

/**
 * Rounds the parts of a result to cents. Luck takes the remainder of the rounding, so that the parts that are shown add up to the result.
 * @param {{ net: number, expected: Fraction, given: Fraction, unjudged: number }} exact @returns {Shown}
 */
function shown({ net, expected, given, unjudged }) {
  const parts = { expected: round(expected), given: round(given) };
  return { net, ...parts, unjudged, luck: net - parts.expected - parts.given - unjudged };
}

/** Returns the sums by wager, the base wager first. Wagers without an expectation are left out. @param {RoundResult[]} results @returns {WagerSum[]} */
function wagerSums(results) {
  /** @type {Map<string, WagerSum>} */
  const sums = new Map();
  for (const { wager, title, staked_cents: staked, net_cents: net, expected, given_away: given } of results.flatMap(({ wagers }) => wagers)) {
    if (expected === null) continue;
    const before = sums.get(wager) ?? { wager, title, times: 0, staked: 0, net: 0, expected: ZERO, given: ZERO };
    sums.set(wager, {
      ...before, times: before.times + 1, staked: before.staked + staked, net: before.net + net,
      expected: plus(before.expected, fraction(expected)), given: plus(before.given, fraction(given ?? "0")),
    });
  }
  return [...sums.values()].sort((one, other) => Number(other.wager === BASE) - Number(one.wager === BASE) || one.title.localeCompare(other.title));
}

/**
 * Returns the sums by wager in whole cents. Each is the difference of two rounded running totals, so that the column adds up to the rounded sum.
 * @param {RoundResult[]} results @returns {(Shown & { wager: string, title: string, times: number, staked: number })[]}
 */
export function wagerRows(results) {
  let [expected, given] = [ZERO, ZERO];
  return wagerSums(results).map((sum) => {
    const before = [round(expected), round(given)];
    expected = plus(expected, sum.expected);
    given = plus(given, sum.given);
    const parts = { expected: round(expected) - before[0], given: round(given) - before[1] };
    return { wager: sum.wager, title: sum.title, times: sum.times, staked: sum.staked, net: sum.net, ...parts, unjudged: 0, luck: sum.net - parts.expected - parts.given };
  });
}

/** Returns the running totals, from zero before the oldest round. The last point equals the sums to the cent. @param {RoundResult[]} results latest first @returns {Point[]} */
export function seriesOf(results) {
  /** @type {Point[]} */
  const points = [{ net: 0, expected: 0, played: 0 }];
  let [net, expected, given] = [0, ZERO, ZERO];
  for (const result of [...results].reverse()) {
    net += result.net_cents;
    expected = plus(expected, fraction(result.expected));
    given = plus(given, fraction(result.given_away));
    points.push({ net, expected: round(expected), played: round(expected) + round(given) });
  }
  return points;
}

/** Whether the player's setting gave something away. @param {RoundResult} result */
export const gaveAway = ({ given_away: given }) => fraction(given)[0] !== 0n;

/** Whether an amount is not zero, but rounds to zero. @param {string} exact */
export function isTiny(exact) {
  const amount = fraction(exact);
  return amount[0] !== 0n && round(amount) === 0;
}
