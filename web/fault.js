// What went wrong, in words.

import { Refused } from "./api.js";
import { words } from "./words.js";

/** @param {unknown} error */
export function faultWords(error) {
  if (!(error instanceof Refused) || error.code === "offline") return words.app.offline;
  return error.faults.length ? error.faults.map((fault) => fault.message).join(" ") : error.message;
}
