// Formatting of the server's exact decimals and fractions. Values stay text or integers, never floating point.

import { fraction } from "./fractions.js";

const MINUS = "\u2212";

/** @typedef {{ decimals?: number, sign?: boolean }} Format number of decimal digits, and whether to show a plus sign */

/** Formats a decimal, rounded half away from zero. `shift` moves the decimal point to the right. @param {string} text @param {Format & { shift?: number }} [format] */
export function decimal(text, { decimals = 4, sign = false, shift = 0 } = {}) {
  const [, minus, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? ["", "", "0"];
  const keep = decimals + shift;
  const digits = BigInt(whole + part.padEnd(keep, "0").slice(0, keep)) + (Number(part[keep] ?? 0) >= 5 ? 1n : 0n);
  const all = String(digits).padStart(decimals + 1, "0");
  const value = decimals ? `${thousands(all.slice(0, -decimals))}.${all.slice(-decimals)}` : thousands(all);
  if (digits === 0n) return value;
  return (minus ? MINUS : sign ? "+" : "") + value;
}

/** Formats a decimal as a percentage: `0.0816` is `8.16 %`. @param {string} text @param {Format} [format] */
export function percent(text, { decimals = 2, sign } = {}) {
  return `${decimal(text, { decimals, sign, shift: 2 })}\u202f%`;
}

/** Formats a percentage with three significant digits, and at least two decimal digits. @param {string} text @param {{ sign?: boolean }} [format] */
export function finePercent(text, { sign } = {}) {
  return percent(text, { decimals: fineDecimals(text), sign });
}

/** Formats a hundred times a decimal as `finePercent`, without the sign of a percentage. @param {string} text */
export const fineHundredfold = (text) => decimal(text, { decimals: fineDecimals(text), shift: 2 });

/** Returns the number of decimal digits of a percentage with three significant digits, at least two. @param {string} text */
function fineDecimals(text) {
  const size = Math.abs(Number(text)) * 100;
  return size === 0 ? 2 : Math.min(10, Math.max(2, 2 - Math.floor(Math.log10(size))));
}

/** Formats a share of a total as a percentage. @param {number} some @param {number} all @param {number} [decimals] */
export function share(some, all, decimals = 2) {
  return percent(ratio(BigInt(some), BigInt(all)), { decimals });
}

/** Returns a quotient as a decimal with twelve decimal digits. @param {bigint} some @param {bigint} all */
export function ratio(some, all) {
  const scale = 10n ** 12n;
  const size = (some < 0n ? -some : some) * scale * 2n;
  const digits = String((size + all) / (all * 2n)).padStart(13, "0");
  return `${some < 0n ? "-" : ""}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

/** Returns the difference of two exact fractions as a decimal. @param {string} one @param {string} other */
export function difference(one, other) {
  const [a, b] = fraction(one);
  const [c, d] = fraction(other);
  return ratio(a * d - c * b, b * d);
}

/** Returns the `12.3` of "one in 12.3" for a probability, or `null` if it is zero. @param {string} exact */
export function oneIn(exact) {
  const [numerator, denominator] = fraction(exact);
  if (numerator === 0n) return null;
  const text = ratio(denominator, numerator);
  return decimal(text, { decimals: Number(text) < 100 ? 1 : 0 });
}

/** Formats an integer with thousands separators: `53,524,680`. @param {number | string} whole */
export function thousands(whole) {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats a fraction with spaces and a line-break opportunity. @param {string} exact */
export function spaced(exact) {
  return exact.replace("-", MINUS).replace("/", "\u2009/\u200b\u2009");
}
