// Filters of the history, as they are in the address.

import { gaveAway } from "./results.js";

/**
 * @typedef {import("./results.js").RoundResult} RoundResult
 * @typedef {{ book: string, table: string, result: "" | "won" | "lost" | "push", given: boolean }} Filter empty values match all rounds
 */

/** @type {readonly Filter["result"][]} */
export const RESULTS = ["", "won", "lost", "push"];

/** Reads the filters from the query of an address. Ignores unknown values. @param {URLSearchParams} query @returns {Filter} */
export function filterOf(query) {
  const result = /** @type {Filter["result"]} */ (query.get("result") ?? "");
  return { book: query.get("book") ?? "", table: query.get("table") ?? "", result: RESULTS.includes(result) ? result : "", given: query.get("given") === "yes" };
}

/** Returns the query of the filters. @param {Filter} filter */
export const queryOf = ({ book, table, result, given }) => ({ book, table, result, given: given ? "yes" : "" });

/** Returns the rounds that match. @param {RoundResult[]} results @param {Filter} filter */
export function filtered(results, { book, table, result, given }) {
  return results.filter((one) => (!book || one.book === book) && (!table || one.table === table) && (!result || resultOf(one) === result) && (!given || gaveAway(one)));
}

/** @param {RoundResult} result @returns {Filter["result"]} */
const resultOf = ({ net_cents: net, outcome }) => (outcome !== "settled" ? "" : net > 0 ? "won" : net < 0 ? "lost" : "push");
