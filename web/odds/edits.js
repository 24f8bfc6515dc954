// A paytable being changed: the rows as printed, what was changed of them, and both as text for an address.

/**
 * @typedef {import("../protocol").Row} Row
 * @typedef {Record<string, number>} Changes by the name of the row
 * @typedef {{ pays: Changes, envy: Changes }} Edits
 */

/** What a row goes by. @param {Row} row */
export const rowKey = (row) => row.hand ?? `${row.cards}_cards`;

/** The rows with their changes. @param {Row[]} rows @param {Edits} edits @returns {Row[]} */
export function changed(rows, edits) {
  return rows.map((row) => ({
    ...row,
    pays: edits.pays[rowKey(row)] ?? row.pays,
    envy_cents: rowKey(row) in edits.envy ? edits.envy[rowKey(row)] || null : row.envy_cents,
  }));
}

/** As a question has them: whoever changes a paytable may mean anything by it. @param {Row[]} rows */
export function asked(rows) {
  return rows.map(({ hand, cards, pays, envy_cents }) => ({ hand, cards, pays, envy_cents: envy_cents ?? undefined, intended: true }));
}

/**
 * Faults of a question by the field they are about, and those about none.
 * @param {import("../protocol").Fault[]} faults @param {Row[]} rows @returns {{ fields: Record<string, string>, others: string[] }}
 */
export function byField(faults, rows) {
  /** @type {Record<string, string>} */
  const fields = {};
  /** @type {string[]} */
  const others = [];
  for (const { at, message } of faults) {
    const [, place, key] = /^rows\.(\d+)\.(pays|envy_cents)$/.exec(at ?? "") ?? [];
    const row = rows[Number(place)];
    if (key && row) fields[`${key === "pays" ? "pay" : "envy"}-${rowKey(row)}`] = message;
    else if (at === "stake_cents" || at === "payout_max_cents") fields[at === "stake_cents" ? "stake" : "max"] = message;
    else others.push(message);
  }
  return { fields, others };
}

/** A change, or none where it is as printed. @param {Changes} changes @param {string} key @param {number} value @param {number | undefined} printed @returns {Changes} */
export function change(changes, key, value, printed) {
  const { [key]: _, ...others } = changes;
  return value === printed ? others : { ...others, [key]: value };
}

/** For an address: `flush-5.straight-3`. @param {Changes} changes */
export const changesText = (changes) => Object.entries(changes).map(([key, value]) => `${key}-${value}`).join(".");

/** From an address; what is none of the rows is left out. @param {string | null} text @param {Row[]} rows @returns {Changes} */
export function readChanges(text, rows) {
  const known = new Set(rows.map(rowKey));
  const pairs = (text ?? "").split(".").map((part) => /^([a-z0-9_]+)-(\d{1,9})$/.exec(part));
  return Object.fromEntries(pairs.flatMap((found) => (found && known.has(found[1]) ? [[found[1], Number(found[2])]] : [])));
}
