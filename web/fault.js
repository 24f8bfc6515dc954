// What went wrong, in words.

import { Refused } from "./api.js";
import { words } from "./words.js";

/** @param {unknown} error */
export function faultWords(error) {
  if (!(error instanceof Refused) || error.code === "offline") return words.app.offline;
  const said = /** @type {Record<string, string>} */ (words.refused)[error.code];
  if (said) return said;
  return error.faults.length ? error.faults.map((fault) => fault.message).join(" ") : error.message;
}
