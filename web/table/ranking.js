// How hands rank at a table, and what a question about one must say of it.

/**
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 * @typedef {import("../protocol").TableRules} TableRules
 */

/** Until the table's own are known. @type {Ranking} */
const USUAL = { joker: "semi_wild", wheel: "second_highest" };

/** @param {TableRules | null} rules @returns {Ranking} */
export const rankingOf = (rules) => rules?.ranking ?? USUAL;

/**
 * What a question by the book must say of the table: what is otherwise there, and the joker where the posted paytables want another.
 * @param {TableRules} rules @param {{ facts: Pick<import("./view-types.js").Facts, "changes"> }} view @returns {{ changes?: Record<string, string> }}
 */
export function changesOf(rules, view) {
  const changes = { ...view.facts.changes };
  if (rules.book.ranking.joker !== rules.ranking.joker) changes["ranking.joker"] = rules.ranking.joker;
  return Object.keys(changes).length > 0 ? { changes } : {};
}
