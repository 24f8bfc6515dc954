// Sums of reports. Amounts are integers and fractions; standard deviations are integers in millionths of a cent.

import { fraction, plus, written, ZERO } from "../study/fractions.js";
import { ratio } from "../study/numbers.js";

/**
 * @typedef {import("./types.js").ReportRow} ReportRow
 * @typedef {object} ReportSum
 * @property {number} wagers
 * @property {number} voided
 * @property {number} handle_cents
 * @property {number} win_cents
 * @property {string | null} hold exact fraction
 * @property {number} judged_wagers
 * @property {number} judged_win_cents
 * @property {string | null} expected exact fraction in cents, of the judged wagers; `null` if there are none
 * @property {string | null} deviation_cents decimal
 * @property {string | null} deviations decimal
 * @typedef {{ key: string, day: string, table: string, currency: string, rows: ReportRow[], sum: ReportSum }} ReportGroup
 */

/** Distance from the expectation, in standard deviations, beyond which a result is marked. */
export const UNLIKELY = 3;

const SCALE = 1_000_000n;

/** Sums rows. The standard deviation of the sum is that of independent rows. @param {ReportRow[]} rows @returns {ReportSum} */
export function sumOf(rows) {
  const handle = total(rows, ({ handle_cents: cents }) => cents);
  const win = total(rows, ({ win_cents: cents }) => cents);
  const judgedWin = total(rows, ({ judged_win_cents: cents }) => cents);
  const judged = rows.filter(({ expected }) => expected !== null);
  const expected = judged.length > 0 ? written(judged.reduce((sum, row) => plus(sum, fraction(row.expected ?? "0")), ZERO)) : null;
  const deviation = judged.length > 0 ? squareRoot(judged.reduce((sum, row) => sum + scaled(row.deviation_cents ?? "0") ** 2n, 0n)) : 0n;
  return {
    wagers: total(rows, ({ wagers }) => wagers), voided: total(rows, ({ voided }) => voided), handle_cents: handle, win_cents: win,
    hold: handle > 0 ? `${win}/${handle}` : null,
    judged_wagers: total(rows, ({ judged_wagers: count }) => count), judged_win_cents: judgedWin, expected,
    deviation_cents: expected === null ? null : ratio(deviation, SCALE),
    deviations: expected === null || deviation === 0n ? null : distance(judgedWin, expected, deviation),
  };
}

/** Groups rows by day, table and currency, each group with its sum. @param {ReportRow[]} rows @returns {ReportGroup[]} */
export function groupsOf(rows) {
  /** @type {Map<string, ReportRow[]>} */
  const groups = new Map();
  for (const row of rows) {
    const key = `${row.day} ${row.table} ${row.currency}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].map(([key, all]) => ({ key, day: all[0].day, table: all[0].table, currency: all[0].currency, rows: all, sum: sumOf(all) }));
}

/** Sums rows by currency. @param {ReportRow[]} rows @returns {[string, ReportSum][]} */
export function sumsByCurrency(rows) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  return currencies.map((currency) => [currency, sumOf(rows.filter((row) => row.currency === currency))]);
}

/** Returns whether a result is unlikely: above or below its expectation by more than three standard deviations. @param {string | null} deviations @returns {"above" | "below" | null} */
export function unlikely(deviations) {
  const far = Number(deviations ?? 0);
  return far > UNLIKELY ? "above" : far < -UNLIKELY ? "below" : null;
}

/** @param {ReportRow[]} rows @param {(row: ReportRow) => number} value */
const total = (rows, value) => rows.reduce((sum, row) => sum + value(row), 0);

/** Returns (win − expected) / deviation as a decimal. @param {number} win @param {string} expected @param {bigint} deviation scaled */
function distance(win, expected, deviation) {
  const [numerator, denominator] = fraction(expected);
  return ratio((BigInt(win) * denominator - numerator) * SCALE, denominator * deviation);
}

/** Returns a decimal in millionths. @param {string} text */
function scaled(text) {
  const [whole, part = ""] = text.replace("-", "").split(".");
  return BigInt(whole) * SCALE + BigInt(part.padEnd(6, "0").slice(0, 6));
}

/** Returns the integer square root. @param {bigint} value */
function squareRoot(value) {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
}
