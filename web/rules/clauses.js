// The clauses of a house way, in order.

import { h } from "../dom.js";
import { words } from "../words.js";
import { citation } from "../study/notes.js";
import { csvButton } from "../study/table.js";
import { matchesFilter } from "./find.js";

/**
 * @typedef {import("../protocol").ClauseRule & { number: number }} Clause a clause with its number, from 1
 * @typedef {import("./find.js").Filter} Filter
 */

/** @param {import("../protocol").ClauseRule[]} clauses @returns {Clause[]} */
export const numbered = (clauses) => clauses.map((clause, index) => ({ ...clause, number: index + 1 }));

/** Returns the clauses that match a filter. @param {Clause[]} clauses @param {Filter} filter */
export const filterClauses = (clauses, filter) => clauses.filter((clause) => matchesFilter([clause.says, clause.when, ...clause.set], clause, filter));

/** Returns the element id of a clause. @param {number} number */
export const clauseId = (number) => `clause-${number}`;

/** @param {Clause[]} clauses @param {number | null} [chosen] number of the highlighted clause */
export function clauseList(clauses, chosen = null) {
  const { rules: say } = words;
  return h("ol", { class: "clauses" }, clauses.map((clause) => h("li", { key: clause.number, id: clauseId(clause.number), value: clause.number, class: { chosen: clause.number === chosen },
    "aria-current": clause.number === chosen ? "true" : null },
    h("p", null, clause.says),
    h("p", { class: "small" }, h("b", null, say.when, ": "), clause.when, " → ", clause.set.join("; "), clause.if_possible && ` (${say.ifPossible})`),
    citation(clause))));
}

/** A button that downloads the clauses as CSV. @param {string} way @param {Clause[]} clauses */
export function clauseFile(way, clauses) {
  const { rules: say } = words;
  /** @type {import("../study/table.js").Column<Clause>[]} */
  const columns = [
    { title: say.clause, csv: ({ number }) => number }, { title: say.says, csv: ({ says }) => says }, { title: say.when, csv: ({ when }) => when },
    { title: say.set, csv: ({ set }) => set.join("; ") }, { title: say.cite, csv: ({ cite }) => cite },
  ];
  return csvButton(`house-way-${way}`, columns, clauses);
}
