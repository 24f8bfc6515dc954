// Money is integer cents. It is made into words here and nowhere else.

const MINUS = "\u2212";

/** `$1,234.50`, with a minus where it is less than nothing. @param {number} cents */
export function money(cents) {
  const [whole, part] = parts(cents);
  return `${cents < 0 ? MINUS : ""}$${whole}.${part}`;
}

/** The same without cents where there are none. @param {number} cents */
export function short(cents) {
  const [whole, part] = parts(cents);
  return `${cents < 0 ? MINUS : ""}$${whole}${part === "00" ? "" : `.${part}`}`;
}

/** With a plus where it is more than nothing. @param {number} cents */
export function signed(cents) {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** As it fits on a chip. @param {number} cents */
export function onChip(cents) {
  const dollars = cents / 100;
  if (dollars >= 10_000) return `${Math.floor(dollars / 1000)}k`;
  if (dollars >= 1000) return `${Math.floor(dollars / 100) / 10}k`;
  return cents % 100 === 0 ? String(dollars) : dollars.toFixed(dollars >= 100 ? 0 : 2);
}

/** Cents from what somebody has typed; null where it is no amount. @param {string} text */
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
