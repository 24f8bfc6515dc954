// Movements of a player's chips in one currency, computed from the journal of transfers.

import { tableName } from "../study/table-name.js";

/**
 * @typedef {import("../protocol").JournalTransfer} JournalTransfer
 * @typedef {{ place: number, at: number, purpose: string, table: string | null, round: number | null, change: number, after: number }} Movement in cents
 */

/**
 * Returns the movements of a player in one currency with the balance after each, newest first. Transfers between other owners are left out.
 * @param {JournalTransfer[]} transfers in ascending order, from the first one @param {string} player @param {string} currency @returns {Movement[]}
 */
export function movementsOf(transfers, player, currency) {
  const mine = `player:${player}`;
  let after = 0;
  /** @type {Movement[]} */
  const all = [];
  for (const { place, at, from, to, cents, purpose, table, round, currency: in_ } of transfers) {
    if (in_ !== currency) continue;
    const change = (to === mine ? cents : 0) - (from === mine ? cents : 0);
    if (change === 0) continue;
    after += change;
    all.push({ place, at, purpose, table: table ?? null, round: round ?? null, change, after });
  }
  return all.reverse();
}

/** Returns the name of a table, without its rule book, which the journal does not have. @param {string} table @param {string | null} player id of the viewer */
export const tableOf = (table, player) => (table.startsWith("own-") ? tableName({ table, book: "", title: "" }, player).replace(/, $/, "") : table);
