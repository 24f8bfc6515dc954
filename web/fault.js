// What went wrong, in words.

import { Refused } from "./api.js";
import { words } from "./words.js";

/** @param {unknown} error @param {string} [term] the book's word for the banker */
export function faultWords(error, term = "banker") {
  if (!(error instanceof Refused) || error.code === "offline") return words.app.offline;
  const said = /** @type {Record<string, string>} */ (words.refused)[error.code];
  if (said) return said;
  return words.banker(term).inTerms(error.faults.length ? error.faults.map((fault) => fault.message).join(" ") : error.message);
}
