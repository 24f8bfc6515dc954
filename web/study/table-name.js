// Names of tables.

import { words } from "../words.js";
import { shortTitle } from "./book-title.js";

/** Id of a table that a player opened: the start of the player's id, and random digits. A private table has more of them. */
const OPENED_BY_PLAYER = /^own-(.+)-([0-9a-f]{8,15})$/;

/**
 * Returns the name of a table. A table that a player opened has a number in its name instead of the random digits of its id.
 * @param {{ table: string, book: string, title?: string, name?: string | null }} table ids of the table and its book, the title of the book, and the name that a player gave the table
 * @param {string | null} [player] id of the viewer
 */
export function tableName({ table, book, title = book, name }, player = null) {
  if (name) return name;
  const { tableName: say } = words;
  const short = shortTitle(title);
  const [, opener, digits] = OPENED_BY_PLAYER.exec(table) ?? [];
  if (opener) return (isOpener(opener, player) ? say.yours : say.guests)(short, 100 + (parseInt(digits.slice(0, 8), 16) % 900));
  if (table === book) return short;
  const own = table.startsWith(`${book}-`) ? table.slice(book.length + 1) : table;
  return say.house(short, own.replace(/[-._:/]+/g, " "));
}

/** Whether a player opened a table. @param {string} table @param {string} player */
export const isOpenedBy = (table, player) => isOpener(OPENED_BY_PLAYER.exec(table)?.[1] ?? "", player);

/** @param {string} opener start of the player's id @param {string | null} player */
const isOpener = (opener, player) => player !== null && player.replace(/^guest-/, "").slice(0, 20) === opener;
