// What wagers brought, beside what they were worth: exact fractions of cents, rounded only to be shown.

import { cardsOf, sameCards } from "../cards/card-text.js";
import { linesOf } from "./model.js";
import { BASE } from "./reduce.js";
import { NOTHING, fraction, plus, times } from "../study/fractions.js";

/**
 * @typedef {import("../study/fractions.js").Fraction} Fraction
 * @typedef {import("../protocol").RoundRecord} RoundRecord
 * @typedef {import("../protocol").SettingWorth} SettingWorth
 * @typedef {import("../protocol").WagerOddsOf} WagerOddsOf
 * @typedef {{ wager: string, cents: number, net: number }} Placed a wager of a round, and what came of it
 * @typedef {{ wager: string, rounds: number, staked: number, net: number, expected: Fraction, best: Fraction | null }} Tally
 */

/** Lines that are not what a wager brought. */
const FEES = ["collection"];

/** The wagers of a seat in a round, where all of each was in action. @param {RoundRecord} record @param {number} seat @returns {Placed[]} */
export function placedAt(record, seat) {
  const own = record.seats.find((one) => one.seat === seat);
  if (!own || record.outcome !== "settled") return [];
  const lines = linesOf(record.lines, own.seat);
  return Object.entries(own.wagers).flatMap(([wager, { cents }]) => {
    const its = lines.filter((line) => line.wager === wager && !FEES.includes(line.outcome));
    const deciding = its.filter((line) => line.outcome !== "envy");
    // Against a player's bank other odds hold; and what it could not cover was never in action, and has no expectation.
    const banked = record.play?.bank && deciding.some((line) => line.against === "banker");
    const whole = !banked && deciding.every((line) => line.outcome !== "no_action") && deciding.some((line) => line.stake_cents === cents);
    return whole ? [{ wager, cents, net: its.reduce((sum, line) => sum + line.net_cents, 0) }] : [];
  });
}

/**
 * What a side wager is worth in cents: the house's part at this stake, with the most that is paid, and what the hands of the others are worth to
 * one who has a share in them.
 * @param {WagerOddsOf} odds asked at this stake @param {number} cents @param {number} players with a hand @returns {Fraction | null}
 */
export function worthOfSide(odds, cents, players) {
  if (!odds.at_stake) return null;
  const kept = times(fraction(odds.at_stake.edge_exact), BigInt(-cents));
  const from = odds.envy_from_cents;
  if (from === null || cents < from) return kept;
  return plus(kept, times(fraction(odds.envy_return_exact), BigInt(from * Math.max(players - 1, 0))));
}

/**
 * What a base wager was worth in cents as the hand was set, and as it could have been set.
 * @param {SettingWorth[]} settings the best first @param {string} low the low hand @param {number} cents
 */
export function worthOfHand(settings, low, cents) {
  const chosen = settings.find((setting) => sameCards(cardsOf(setting.low), cardsOf(low)));
  if (!chosen) return null;
  const worth = (/** @type {SettingWorth} */ setting) => times(fraction(setting.ev_exact), BigInt(cents));
  return { worth: worth(chosen), best: worth(settings[0]) };
}

/** With one more wager of its kind. @param {Tally[]} tallies @param {Placed} placed @param {Fraction} worth @param {Fraction | null} best @returns {Tally[]} */
export function withWager(tallies, { wager, cents, net }, worth, best) {
  const before = tallies.find((tally) => tally.wager === wager) ?? { wager, rounds: 0, staked: 0, net: 0, expected: NOTHING, best: best && NOTHING };
  const after = {
    wager, rounds: before.rounds + 1, staked: before.staked + cents, net: before.net + net,
    expected: plus(before.expected, worth), best: before.best && best && plus(before.best, best),
  };
  const others = tallies.filter((tally) => tally.wager !== wager);
  // The base game comes first.
  return wager === BASE ? [after, ...others] : [...others, after].sort((one, other) => Number(other.wager === BASE) - Number(one.wager === BASE) || one.wager.localeCompare(other.wager));
}
