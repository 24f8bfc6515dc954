// Results of wagers compared with their expectation, as exact fractions of cents. Only the display rounds them.

import { cardsOf, sameCards } from "../cards/card-text.js";
import { linesOf } from "./model.js";
import { BASE } from "./reduce.js";
import { ZERO, fraction, plus, times } from "../study/fractions.js";

/**
 * @typedef {import("../study/fractions.js").Fraction} Fraction
 * @typedef {import("../protocol").RoundRecord} RoundRecord
 * @typedef {import("../protocol").SettingWorth} SettingWorth
 * @typedef {import("../protocol").WagerOddsAnswer} WagerOddsAnswer
 * @typedef {{ wager: string, cents: number, net: number }} WagerResult a wager of a round and its net result
 * @typedef {{ wager: string, rounds: number, staked: number, net: number, expected: Fraction, best: Fraction | null }} Tally
 */

/** Outcomes of lines that do not count as the result of a wager. */
const FEES = ["collection"];

/** Returns the results of a seat's wagers that were fully in action. @param {RoundRecord} record @param {number} seat @returns {WagerResult[]} */
export function wagerResults(record, seat) {
  const player = record.seats.find((one) => one.seat === seat);
  if (!player || record.outcome !== "settled") return [];
  const lines = linesOf(record.lines, player.seat);
  return Object.entries(player.wagers).flatMap(([wager, { cents }]) => {
    const own = lines.filter((line) => line.wager === wager && !FEES.includes(line.outcome));
    const deciding = own.filter((line) => line.outcome !== "envy");
    // Wagers against a banking player have other odds. The part of a wager that the bank does not cover has no action and no expectation.
    const banked = record.play?.bank && deciding.some((line) => line.against === "banker");
    const whole = !banked && deciding.every((line) => line.outcome !== "no_action") && deciding.some((line) => line.stake_cents === cents);
    return whole ? [{ wager, cents, net: own.reduce((sum, line) => sum + line.net_cents, 0) }] : [];
  });
}

/**
 * Returns the expected result of a side wager in cents: the edge at this stake, with the maximum payout, plus the envy bonuses for the other
 * players' hands.
 * @param {WagerOddsAnswer} odds at this stake @param {number} cents @param {number} players with a hand @returns {Fraction | null}
 */
export function worthOfSide(odds, cents, players) {
  if (!odds.at_stake) return null;
  const kept = times(fraction(odds.at_stake.edge_exact), BigInt(-cents));
  const from = odds.envy_from_cents;
  if (from === null || cents < from) return kept;
  return plus(kept, times(fraction(odds.envy_return_exact), BigInt(from * Math.max(players - 1, 0))));
}

/**
 * Returns the expected result of a base wager in cents, for the chosen setting and for the best one; `null` for a foul.
 * @param {SettingWorth[]} settings best first @param {string} low the low hand @param {number} cents
 */
export function worthOfHand(settings, low, cents) {
  const chosen = settings.find((setting) => sameCards(cardsOf(setting.low), cardsOf(low)));
  if (!chosen) return null;
  const worth = (/** @type {SettingWorth} */ setting) => times(fraction(setting.ev_exact), BigInt(cents));
  return { worth: worth(chosen), best: worth(settings[0]) };
}

/** Adds a wager to the tallies. @param {Tally[]} tallies @param {WagerResult} result @param {Fraction} worth @param {Fraction | null} best @returns {Tally[]} */
export function withWager(tallies, { wager, cents, net }, worth, best) {
  const before = tallies.find((tally) => tally.wager === wager) ?? { wager, rounds: 0, staked: 0, net: 0, expected: ZERO, best: best && ZERO };
  const after = {
    wager, rounds: before.rounds + 1, staked: before.staked + cents, net: before.net + net,
    expected: plus(before.expected, worth), best: before.best && best && plus(before.best, best),
  };
  const others = tallies.filter((tally) => tally.wager !== wager);
  // The base game comes first.
  return wager === BASE ? [after, ...others] : [...others, after].sort((one, other) => Number(other.wager === BASE) - Number(one.wager === BASE) || one.wager.localeCompare(other.wager));
}
