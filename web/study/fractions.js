// Exact fractions, as the server writes them: `-7/53`.

/** @typedef {readonly [bigint, bigint]} Fraction over and under; under is above nothing */

/** @type {Fraction} */
export const NOTHING = [0n, 1n];

/** @param {string} text @returns {Fraction} */
export function fraction(text) {
  const [over, under = "1"] = text.split("/");
  return [BigInt(over), BigInt(under)];
}

/** @param {Fraction} one @param {Fraction} other @returns {Fraction} */
export const plus = ([a, b], [c, d]) => lowest(a * d + c * b, b * d);

/** @param {Fraction} one @param {bigint} many @returns {Fraction} */
export const times = ([over, under], many) => lowest(over * many, under);

/** The nearest whole number, half away from nothing. @param {Fraction} one */
export function whole([over, under]) {
  const size = ((over < 0n ? -over : over) * 2n + under) / (under * 2n);
  return Number(over < 0n ? -size : size);
}

/** @param {bigint} over @param {bigint} under @returns {Fraction} */
function lowest(over, under) {
  let [one, other] = [over < 0n ? -over : over, under];
  while (other > 0n) [one, other] = [other, one % other];
  return [over / one, under / one];
}
