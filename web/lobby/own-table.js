// Opens a table of the player's own, with the clocks of a pace.

import { ask, session, tablePath } from "../api.js";
import { go } from "../router.js";

/**
 * @typedef {import("../protocol").LobbyTable} LobbyTable
 * @typedef {import("../protocol").NewTable} NewTable
 * @typedef {Record<typeof PARTS[number], number>} ClockSeconds
 */

/** Phases of a round that have a clock. */
export const PARTS = /** @type {const} */ (["bank", "wagers", "settings", "between"]);

/** Clocks of each pace, in seconds. At `own`, the longest that the server allows, the round waits for the player. @satisfies {Record<string, ClockSeconds>} */
export const PACES = {
  own: { bank: 3600, wagers: 3600, settings: 3600, between: 3600 },
  calm: { bank: 30, wagers: 60, settings: 120, between: 20 },
  usual: { bank: 10, wagers: 20, settings: 30, between: 8 },
  brisk: { bank: 6, wagers: 10, settings: 15, between: 5 },
};

/** Opens a table and goes to it. The player takes a seat there. @param {Omit<NewTable, "clocks">} rules @param {ClockSeconds} seconds */
export async function openTable(rules, seconds) {
  await session.begin();
  const clocks = Object.fromEntries(PARTS.map((part) => [part, seconds[part] * 1000]));
  const { table } = await ask("/api/tables", { body: { ...rules, clocks } });
  go(`/table/${table}?sit=1`);
}

/** Opens a table with the book, the wagers, the limits and the bots of another table, in the player's own time. @param {LobbyTable} table */
export async function openOwnTime(table) {
  const { facts } = /** @type {{ facts: import("../protocol").TableFacts }} */ ((await ask(tablePath(table.table))).view);
  const { changes, banking } = facts;
  // The changes of a table include the side wagers that it offers or omits.
  await openTable({
    book: table.book, paytables: table.wagers, changes, bots: table.bots,
    ...(banking.dealer_wager_cents > 0 ? { dealer_wager_cents: banking.dealer_wager_cents } : {}),
  }, PACES.own);
}
