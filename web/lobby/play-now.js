// The table of the Play now button.

import { isPractice } from "./table-facts.js";

/** @typedef {import("../protocol").LobbyTable} LobbyTable */

/** Returns the table where a player sits, or `null`. @param {LobbyTable[]} tables @param {string | undefined} me id of the player */
export function seatedAt(tables, me) {
  return tables.find(({ taken }) => me !== undefined && Object.values(taken).includes(me)) ?? null;
}

/**
 * Returns the practice table whose rules suit a newcomer best, or `null` if there is none: no player banks, and the house keeps no commission if possible.
 * @param {LobbyTable[]} tables
 */
export function friendlyTable(tables) {
  const friendly = tables.filter((table) => isPractice(table) && !table.closing && !table.paused && !table.seats_bank);
  return friendly.find(({ commission_basis_points: commission, collection }) => commission === 0 && !collection) ?? friendly[0] ?? null;
}
