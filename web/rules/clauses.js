// The clauses of a house way, in the order they are asked.

import { h } from "../dom.js";
import { words } from "../words.js";
import { citation } from "../study/said.js";
import { csvButton } from "../study/table.js";
import { fits } from "./find.js";

/**
 * @typedef {import("../protocol").ClauseRule & { number: number }} Clause a clause and its number, from 1
 * @typedef {import("./find.js").Wish} Wish
 */

/** @param {import("../protocol").ClauseRule[]} clauses @returns {Clause[]} */
export const numbered = (clauses) => clauses.map((clause, place) => ({ ...clause, number: place + 1 }));

/** Those that fit what is looked for. @param {Clause[]} clauses @param {Wish} wish */
export const wished = (clauses, wish) => clauses.filter((clause) => fits([clause.says, clause.when, ...clause.set], clause, wish));

/** What the element of a clause goes by. @param {number} number */
export const clauseId = (number) => `clause-${number}`;

/** @param {Clause[]} clauses @param {number | null} [chosen] the number of the one that is asked for */
export function clauseList(clauses, chosen = null) {
  const { rules: say } = words;
  return h("ol", { class: "clauses" }, clauses.map((clause) => h("li", { key: clause.number, id: clauseId(clause.number), value: clause.number, class: { chosen: clause.number === chosen },
    "aria-current": clause.number === chosen ? "true" : null },
    h("p", null, clause.says),
    h("p", { class: "small" }, h("b", null, say.when, ": "), clause.when, " → ", clause.set.join("; "), clause.if_possible && ` (${say.ifPossible})`),
    citation(clause))));
}

/** All of them as a file. @param {string} way @param {Clause[]} clauses */
export function clauseFile(way, clauses) {
  const { rules: say } = words;
  /** @type {import("../study/table.js").Column<Clause>[]} */
  const columns = [
    { title: say.clause, csv: ({ number }) => number }, { title: say.says, csv: ({ says }) => says }, { title: say.when, csv: ({ when }) => when },
    { title: say.set, csv: ({ set }) => set.join("; ") }, { title: say.cite, csv: ({ cite }) => cite },
  ];
  return csvButton(`house-way-${way}`, columns, clauses);
}
