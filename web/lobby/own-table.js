// Tables of the player's own, with the clocks of a pace.

import { ask, houseWayText, session, tablePath } from "../api.js";
import { go } from "../router.js";
import { isOpenedBy } from "../study/table-name.js";
import { OWN_TIME_MS } from "../table/model.js";

/**
 * @typedef {import("../protocol").LobbyTable} LobbyTable
 * @typedef {import("../protocol").NewTable} NewTable
 * @typedef {import("../protocol").TableFacts} TableFacts
 * @typedef {Record<typeof CLOCKED_PHASES[number], number>} ClockSeconds
 */

/** Phases of a round that have a clock. */
export const CLOCKED_PHASES = /** @type {const} */ (["bank", "wagers", "settings", "between"]);

const OWN_TIME_SECONDS = OWN_TIME_MS / 1000;

/** Clocks of each pace, in seconds. At `own`, each phase waits for up to an hour, the longest clock that the server allows. @satisfies {Record<string, ClockSeconds>} */
export const PACES = {
  own: { bank: OWN_TIME_SECONDS, wagers: OWN_TIME_SECONDS, settings: OWN_TIME_SECONDS, between: OWN_TIME_SECONDS },
  calm: { bank: 30, wagers: 60, settings: 120, between: 20 },
  usual: { bank: 10, wagers: 20, settings: 30, between: 8 },
  brisk: { bank: 6, wagers: 10, settings: 15, between: 5 },
};

/** Returns the clocks of a table in milliseconds. @param {ClockSeconds} seconds */
export const clocksOf = (seconds) => Object.fromEntries(CLOCKED_PHASES.map((phase) => [phase, seconds[phase] * 1000]));

/** Opens a table and goes to it. The player takes a seat there. @param {Omit<NewTable, "clocks">} rules @param {ClockSeconds} seconds */
export async function openTable(rules, seconds) {
  await session.begin();
  const { table } = await ask("/api/tables", { body: { ...rules, clocks: clocksOf(seconds) } });
  goToSeat(table);
}

/**
 * Goes to a table of the player with the book, the wagers, the limits and the bots of another table, in the player's own time. Opens one if there is none: the
 * number of tables of a player is limited, and an empty table stays open for a while.
 * @param {LobbyTable} table
 */
export async function playInOwnTime(table) {
  const facts = await factsOf(table);
  const own = await findOwnTable(table, facts);
  if (own) return goToSeat(own.table);
  const { changes, banking } = facts;
  // The changes of a table include the side wagers that it offers or omits.
  const way = facts.own_house_way ? { house_way_toml: (await houseWayText(wayOf(table))).toml } : {};
  await openTable({
    book: table.book, paytables: table.wagers, changes, bots: table.bots, ...way,
    // Another player at the table would have to be waited for.
    private: true,
    ...(banking.dealer_wager_cents > 0 ? { dealer_wager_cents: banking.dealer_wager_cents } : {}),
  }, PACES.own);
}

/** Returns the name of a table's own house way. @param {{ table: string }} table */
const wayOf = ({ table }) => `table:${table}`;

/** Number of bots at a table where only players bank: without other players, no round could be played. */
const BANKING_BOTS = 3;

/**
 * Goes to a private practice table in the player's own time whose dealer sets by a house way. Opens one if there is none.
 * @param {import("../protocol").BookSummary} book @param {string} toml the house way
 */
export async function playWithHouseWay(book, toml) {
  const { player } = await session.begin();
  const bots = book.sides.includes("dealer") ? 0 : BANKING_BOTS;
  const { tables } = await ask(`/api/tables?mine=true&book=${encodeURIComponent(book.id)}`);
  for (const own of /** @type {LobbyTable[]} */ (tables)) {
    if (!own.own_house_way || own.bots !== bots || !isOpenedBy(own.table, player) || !hasSeatFor(own, player)) continue;
    // The way is not among the changes of a table, so a table without changes has the other rules of the book.
    const facts = await factsOf(own);
    if (facts.private && isInOwnTime(facts) && !Object.keys(facts.changes).length && (await houseWayText(wayOf(own))).toml === toml) return goToSeat(own.table);
  }
  await openTable({ book: book.id, house_way_toml: toml, private: true, bots }, PACES.own);
}

/** Returns a table that the player has opened in the player's own time, with the rules of another table and a seat for the player. @param {LobbyTable} table @param {TableFacts} facts @returns {Promise<LobbyTable | null>} */
async function findOwnTable(table, facts) {
  const { player } = await session.begin();
  const { tables } = await ask(`/api/tables?mine=true&book=${encodeURIComponent(table.book)}`);
  for (const own of /** @type {LobbyTable[]} */ (tables)) {
    if (isOpenedBy(own.table, player) && hasSeatFor(own, player) && own.bots === table.bots && isSameInOwnTime(await factsOf(own), facts)) return own;
  }
  return null;
}

/** Whether a player sits at a table or can sit down. @param {LobbyTable} table @param {string} player */
function hasSeatFor({ taken, seats, closing, paused, rules_changed: changed }, player) {
  const players = Object.values(taken);
  return !closing && !paused && !changed && (players.includes(player) || players.length < seats);
}

/** Whether a table is in the player's own time and has the rules of another table. @param {TableFacts} own @param {TableFacts} facts */
export function isSameInOwnTime(own, facts) {
  const rules = (/** @type {TableFacts} */ all) => JSON.stringify({ ...all, clocks: undefined, name: undefined, private: undefined });
  return isInOwnTime(own) && rules(own) === rules(facts);
}

/** Whether each phase waits for the player. @param {TableFacts} facts */
const isInOwnTime = ({ clocks }) => CLOCKED_PHASES.every((phase) => clocks[phase] === OWN_TIME_MS);

/** @param {LobbyTable} table @returns {Promise<TableFacts>} */
const factsOf = async ({ table }) => (await ask(tablePath(table))).view.facts;

/** Goes to a table, where the player takes a seat. @param {string} table */
const goToSeat = (table) => go(`/table/${table}?sit=1`);
