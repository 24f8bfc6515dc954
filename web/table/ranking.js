// The ranking of hands at a table, and the overrides for requests about it.

/**
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 * @typedef {import("../protocol").TableRulesAnswer} TableRules
 */

/** Used until the rules of the table are loaded. @type {Ranking} */
const DEFAULT = { joker: "semi_wild", wheel: "second_highest" };

/** @param {TableRules | null} rules @returns {Ranking} */
export const rankingOf = (rules) => rules?.ranking ?? DEFAULT;

/**
 * Returns the overrides for a request about the table's book: the changes of the table, its own house way, and the joker if the posted paytables require another.
 * @param {TableRules} rules @param {{ facts: Pick<import("./view-types.js").Facts, "changes" | "own_house_way"> }} view @returns {{ changes?: Record<string, string> }}
 */
export function changesOf(rules, view) {
  const changes = { ...view.facts.changes };
  if (view.facts.own_house_way) changes["house_way.way"] = rules.rules.house_way.id;
  if (rules.book.ranking.joker !== rules.ranking.joker) changes["ranking.joker"] = rules.ranking.joker;
  return Object.keys(changes).length > 0 ? { changes } : {};
}
