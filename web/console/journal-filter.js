// Filters of the journal, as they are in the address of the page and in requests. Times are UTC.

/** @typedef {{ player: string, table: string, purpose: string, currency: string, from: string, to: string }} JournalFilter empty values match all transfers; `from` and `to` are days */

export const PURPOSES = /** @type {const} */ (["issue", "redeem", "wager", "cover", "lost", "returned", "won", "envy", "commission", "collection", "guarantee", "voided"]);

const NAMES = /** @type {const} */ (["player", "table", "purpose", "currency", "from", "to"]);

/** Reads the filters from the query of an address. @param {URLSearchParams} query @returns {JournalFilter} */
export const filterOf = (query) => /** @type {JournalFilter} */ (Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ""])));

/** Returns the query of a request. `to` is inclusive on the page and exclusive in the request. @param {JournalFilter} filter */
export const requestOf = ({ from, to, ...others }) => ({ ...others, from: timeOf(from, 0), to: timeOf(to, 1) });

/** Returns the time of a day, or of the end of it, in milliseconds; `null` if the text is not a day. @param {string} day `2026-11-18` @param {number} days days to add */
function timeOf(day, days) {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isNaN(time) ? null : time + days * 86_400_000;
}
