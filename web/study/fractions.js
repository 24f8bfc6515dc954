// Exact fractions in the server's format: `-7/53`.

/** @typedef {readonly [bigint, bigint]} Fraction numerator and denominator; the denominator is positive */

/** @type {Fraction} */
export const ZERO = [0n, 1n];

/** @param {string} text @returns {Fraction} */
export function fraction(text) {
  const [numerator, denominator = "1"] = text.split("/");
  return [BigInt(numerator), BigInt(denominator)];
}

/** @param {Fraction} one @param {Fraction} other @returns {Fraction} */
export const plus = ([a, b], [c, d]) => reduced(a * d + c * b, b * d);

/** @param {Fraction} one @param {Fraction} other @returns {Fraction} */
export const minus = (one, [c, d]) => plus(one, [-c, d]);

/** Returns a fraction in the server's format. @param {Fraction} one */
export const written = ([numerator, denominator]) => `${numerator}/${denominator}`;

/** @param {Fraction} one @param {Fraction} other @returns {Fraction} */
export const times = ([a, b], [c, d]) => reduced(a * c, b * d);

/** Rounds to the nearest integer, half away from zero. @param {Fraction} one */
export function round([numerator, denominator]) {
  const size = ((numerator < 0n ? -numerator : numerator) * 2n + denominator) / (denominator * 2n);
  return Number(numerator < 0n ? -size : size);
}

/** Reduces a fraction to lowest terms. @param {bigint} numerator @param {bigint} denominator @returns {Fraction} */
function reduced(numerator, denominator) {
  let [one, other] = [numerator < 0n ? -numerator : numerator, denominator];
  while (other > 0n) [one, other] = [other, one % other];
  return [numerator / one, denominator / one];
}
