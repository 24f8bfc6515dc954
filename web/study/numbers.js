// Exact decimals of the server made readable. They are text all the way: nothing is computed with floating point.

import { fraction } from "./fractions.js";

const MINUS = "\u2212";

/** @typedef {{ places?: number, sign?: boolean }} How */

/** A decimal with so many places, rounded half away from nothing. @param {string} text @param {How & { shift?: number }} [how] */
export function decimal(text, { places = 4, sign = false, shift = 0 } = {}) {
  const [, minus, whole, part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? ["", "", "0"];
  const keep = places + shift;
  const digits = BigInt(whole + part.padEnd(keep, "0").slice(0, keep)) + (Number(part[keep] ?? 0) >= 5 ? 1n : 0n);
  const all = String(digits).padStart(places + 1, "0");
  const value = places ? `${thousands(all.slice(0, -places))}.${all.slice(-places)}` : thousands(all);
  if (digits === 0n) return value;
  return (minus ? MINUS : sign ? "+" : "") + value;
}

/** A part as percent: `0.0816` is `8.16 %`. @param {string} text @param {How} [how] */
export function percent(text, { places = 2, sign } = {}) {
  return `${decimal(text, { places, sign, shift: 2 })}\u202f%`;
}

/** The same with as many places as it takes to see three digits. @param {string} text */
export function finePercent(text) {
  const size = Math.abs(Number(text)) * 100;
  const places = size === 0 ? 2 : Math.min(10, Math.max(2, 2 - Math.floor(Math.log10(size))));
  return percent(text, { places });
}

/** How many of how many, as percent. @param {number} some @param {number} all @param {number} [places] */
export function share(some, all, places = 2) {
  return percent(ratio(BigInt(some), BigInt(all)), { places });
}

/** How many of how many as a decimal of twelve places. @param {bigint} some @param {bigint} all */
export function ratio(some, all) {
  const scale = 10n ** 12n;
  const size = (some < 0n ? -some : some) * scale * 2n;
  const digits = String((size + all) / (all * 2n)).padStart(13, "0");
  return `${some < 0n ? "-" : ""}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

/** One exact fraction less another, as a decimal. @param {string} one @param {string} other */
export function difference(one, other) {
  const [a, b] = fraction(one);
  const [c, d] = fraction(other);
  return ratio(a * d - c * b, b * d);
}

/** `1 in 12.3`: how often something that has a part of all comes. @param {string} exact */
export function oneIn(exact) {
  const [over, under] = fraction(exact);
  if (over === 0n) return null;
  const text = ratio(under, over);
  return decimal(text, { places: Number(text) < 100 ? 1 : 0 });
}

/** `53,524,680`. @param {number | string} whole */
export function thousands(whole) {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A fraction as it is read, with room to break. @param {string} exact */
export function spaced(exact) {
  return exact.replace("-", MINUS).replace("/", "\u2009/\u200b\u2009");
}
