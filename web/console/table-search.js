// Search in the list of tables, and countdowns.

/** @typedef {import("./types.js").ConsoleTable} ConsoleTable */

/** Whether a table matches a text: its id, its name, its book or a player. @param {ConsoleTable} table @param {string} text */
export function tableMatches({ table, name, book, seats }, text) {
  const part = text.trim().toLowerCase();
  return [table, name ?? "", book, ...seats.flatMap((seat) => [seat.player, seat.name])].some((one) => one.toLowerCase().includes(part));
}

/** Returns the whole seconds until a deadline, at least zero. @param {number} deadline @param {number} now both by the server's clock, in ms */
export const secondsUntil = (deadline, now) => Math.max(0, Math.ceil((deadline - now) / 1000));
