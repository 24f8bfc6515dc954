// Names of the players at a table.

/** @typedef {Record<string, import("../protocol").PublicPlayer>} People */

/** Returns the name of a player, if known. The suffix ` (bot)` is removed: the felt marks bots itself. @param {People} people @param {string} player */
export const nameOf = (people, player) => people[player]?.name.replace(/ \(bot\)$/, "");
