// Facts of a table that matter to a player, in a few words.

import { words } from "../words.js";

/** @typedef {import("../protocol").LobbyTable} LobbyTable */

/** Returns the facts of a table that matter to a player: its commission, and whether players bank or how many side wagers it has. @param {LobbyTable} table */
export function tableFacts(table) {
  const { facts: say } = words.lobby;
  const { commission_basis_points: commission, collection, seats_bank: seatsBank, terms, wagers } = table;
  const fee = collection ? say.collection : commission === 0 ? say.noCommission : say.commission(commission / 100);
  const text = `${fee}, ${seatsBank ? words.banker(terms.banker).rotates : say.sides(Object.keys(wagers).length)}`;
  return text[0].toUpperCase() + text.slice(1);
}

/** Whether a table is for practice: the house opened it, and bots play at it. @param {LobbyTable} table */
export const isPractice = (table) => !table.opened_by_player && table.bots > 0 && !table.rules_changed;

/** Counts the players at tables, without bots. @param {LobbyTable[]} tables */
export function playersSeated(tables) {
  return new Set(tables.flatMap(({ taken }) => Object.values(taken)).filter((player) => !player.startsWith("bot-"))).size;
}
