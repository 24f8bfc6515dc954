// What people at a table are called.

/** @typedef {Record<string, import("../protocol").AtTable>} People */

/** Somebody's name, where it is known. What the server calls a bot says so; the felt has its own mark for that. @param {People} people @param {string} player */
export const nameOf = (people, player) => people[player]?.name.replace(/ \(bot\)$/, "");
