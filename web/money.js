// Formatting and parsing of amounts. Amounts are integer cents; only this module turns them into text.

const MINUS = "\u2212";

/** Formats an amount: `$1,234.50`, `−$23.75`. @param {number} cents */
export function money(cents) {
  const [dollars, fraction] = parts(cents);
  return `${cents < 0 ? MINUS : ""}$${dollars}.${fraction}`;
}

/** Formats an amount without cents if they are zero: `$500`. @param {number} cents */
export function short(cents) {
  const [dollars, fraction] = parts(cents);
  return `${cents < 0 ? MINUS : ""}$${dollars}${fraction === "00" ? "" : `.${fraction}`}`;
}

/** Formats an amount with a plus sign if it is positive. @param {number} cents */
export function signed(cents) {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** Formats an amount for a chip: `25`, `1.2k`. @param {number} cents */
export function onChip(cents) {
  const dollars = cents / 100;
  if (dollars >= 10_000) return `${Math.floor(dollars / 1000)}k`;
  if (dollars >= 1000) return `${Math.floor(dollars / 100) / 10}k`;
  return cents % 100 === 0 ? String(dollars) : dollars.toFixed(dollars >= 100 ? 0 : 2);
}

/** Parses an amount typed by the player, in dollars. Returns cents, or `null` if it is no amount. @param {string} text */
export function cents(text) {
  const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!found) return null;
  const amount = Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
  return Number.isSafeInteger(amount) ? amount : null;
}

/** @param {number} cents @returns {[string, string]} */
function parts(cents) {
  const all = String(Math.abs(cents)).padStart(3, "0");
  const whole = all.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return [whole, all.slice(-2)];
}
