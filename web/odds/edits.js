// Edits of a paytable: the changed pays and envy bonuses by row, and their text form for the address.

/**
 * @typedef {import("../protocol").PaytableRow} Row
 * @typedef {Record<string, number>} Changes by the key of the row
 * @typedef {{ pays: Changes, envy: Changes }} Edits
 */

/** Returns the key of a row. @param {Row} row */
export const rowKey = (row) => row.hand ?? `${row.cards}_cards`;

/** Returns the rows with the edits applied. @param {Row[]} rows @param {Edits} edits @returns {Row[]} */
export function applyEdits(rows, edits) {
  return rows.map((row) => ({
    ...row,
    pays: edits.pays[rowKey(row)] ?? row.pays,
    envy_cents: rowKey(row) in edits.envy ? edits.envy[rowKey(row)] || null : row.envy_cents,
  }));
}

/** Returns the rows for a request. `intended` allows a row to pay less than a more common hand. @param {Row[]} rows */
export function requestRows(rows) {
  return rows.map(({ hand, cards, pays, envy_cents }) => ({ hand, cards, pays, envy_cents: envy_cents ?? undefined, intended: true }));
}

/**
 * Splits faults of a request into those of a field, by field id, and the messages of all others.
 * @param {import("../protocol").ApiFault[]} faults @param {Row[]} rows @returns {{ fields: Record<string, string>, others: string[] }}
 */
export function byField(faults, rows) {
  /** @type {Record<string, string>} */
  const fields = {};
  /** @type {string[]} */
  const others = [];
  for (const { at, message } of faults) {
    const [, index, key] = /^rows\.(\d+)\.(pays|envy_cents)$/.exec(at ?? "") ?? [];
    const row = rows[Number(index)];
    if (key && row) fields[`${key === "pays" ? "pay" : "envy"}-${rowKey(row)}`] = message;
    else if (at === "stake_cents" || at === "payout_max_cents") fields[at === "stake_cents" ? "stake" : "max"] = message;
    else others.push(message);
  }
  return { fields, others };
}

/** Returns the changes with one value set, or removed if it equals the printed value. @param {Changes} changes @param {string} key @param {number} value @param {number | undefined} printed @returns {Changes} */
export function change(changes, key, value, printed) {
  const { [key]: _, ...others } = changes;
  return value === printed ? others : { ...others, [key]: value };
}

/** Formats changes for an address: `flush-5.straight-3`. @param {Changes} changes */
export const changesText = (changes) => Object.entries(changes).map(([key, value]) => `${key}-${value}`).join(".");

/** Parses changes from an address. Unknown rows are ignored. @param {string | null} text @param {Row[]} rows @returns {Changes} */
export function readChanges(text, rows) {
  const known = new Set(rows.map(rowKey));
  const pairs = (text ?? "").split(".").map((part) => /^([a-z0-9_]+)-(\d{1,9})$/.exec(part));
  return Object.fromEntries(pairs.flatMap((found) => (found && known.has(found[1]) ? [[found[1], Number(found[2])]] : [])));
}
