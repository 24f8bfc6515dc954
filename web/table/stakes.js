// Draft wagers: add, double and remove chips, and find rule violations.

import { BASE } from "./reduce.js";

/**
 * @typedef {{ cents: number, color: "red" | "black" | null }} Stake
 * @typedef {Record<string, Stake>} Stakes
 * @typedef {import("./view-types.js").WagerFacts} WagerFacts
 * @typedef {{ wager: string, fault: "low" | "high" | "base" | "color" | "funds" }} StakeFault
 */

/** @type {number[]} */
export const CHIPS = [100, 500, 2_500, 10_000, 50_000];

/** @param {Stakes} stakes @param {WagerFacts} facts @param {number} cents @returns {Stakes} */
export function add(stakes, facts, cents) {
  const before = stakes[facts.wager];
  const sum = Math.min((before?.cents ?? 0) + cents, facts.max_cents);
  return { ...stakes, [facts.wager]: { cents: sum, color: before?.color ?? null } };
}

/** @param {Stakes} stakes @param {string} wager @returns {Stakes} */
export function without(stakes, wager) {
  const { [wager]: _, ...rest } = stakes;
  return rest;
}

/** @param {Stakes} stakes @param {WagerFacts[]} all @returns {Stakes} */
export function doubled(stakes, all) {
  const twice = (/** @type {string} */ wager, /** @type {Stake} */ stake) =>
    Math.min(stake.cents * 2, all.find((facts) => facts.wager === wager)?.max_cents ?? stake.cents);
  return Object.fromEntries(Object.entries(stakes).map(([wager, stake]) => [wager, { ...stake, cents: twice(wager, stake) }]));
}

/** Returns the rule violations of draft wagers. @param {Stakes} stakes @param {WagerFacts[]} all @param {number} available highest total, in cents @returns {StakeFault[]} */
export function faults(stakes, all, available) {
  /** @type {StakeFault[]} */
  const found = [];
  const placed = all.filter(({ wager }) => stakes[wager]);
  if (placed.length > 0 && !stakes[BASE]) found.push({ wager: BASE, fault: "base" });
  for (const { wager, min_cents: min, max_cents: max, color } of placed) {
    if (stakes[wager].cents < min) found.push({ wager, fault: "low" });
    if (stakes[wager].cents > max) found.push({ wager, fault: "high" });
    if (color && !stakes[wager].color) found.push({ wager, fault: "color" });
  }
  if (total(stakes) > available) found.push({ wager: BASE, fault: "funds" });
  return found;
}

/** @param {Stakes} one @param {Stakes} other */
export function same(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name]?.cents === other[name]?.cents && (one[name]?.color ?? null) === (other[name]?.color ?? null));
}

/** Returns the wagers in the form of the command. @param {Stakes} stakes */
export function asCommand(stakes) {
  return Object.entries(stakes).map(([wager, { cents, color }]) => (color ? { wager, cents, color } : { wager, cents }));
}

/** @param {Stakes} stakes */
export const total = (stakes) => Object.values(stakes).reduce((sum, { cents }) => sum + cents, 0);
