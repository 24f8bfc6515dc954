// Error messages for the player.

import { ApiError } from "./api.js";
import { words } from "./words.js";

/** Returns the message for an error. @param {unknown} error @param {string} [term] the book's term for the banker */
export function errorText(error, term = "banker") {
  if (!(error instanceof ApiError) || error.code === "offline") return words.app.offline;
  const text = /** @type {Record<string, string>} */ (words.refused)[error.code];
  if (text) return text;
  return words.banker(term).inTerms(error.faults.length ? error.faults.map((fault) => fault.message).join(" ") : error.message);
}
