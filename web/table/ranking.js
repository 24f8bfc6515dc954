// How hands rank at a table: as its book says, but the joker as its posted paytables want it.

/** @typedef {import("../cards/evaluate.js").Ranking} Ranking */

/** @type {Ranking} */
const USUAL = { joker: "semi_wild", wheel: "second_highest" };

/** @param {any} book @param {import("./view-types.js").View | null} view @returns {Ranking} */
export function rankingOf(book, view) {
  if (!book || !view) return USUAL;
  const jokers = view.facts.wagers.map(({ wager, paytable }) =>
    book.wagers.find((/** @type {any} */ one) => one.wager === wager)?.paytables.find((/** @type {any} */ one) => one.paytable === paytable)?.joker);
  return { ...book.ranking, joker: jokers.find(Boolean) ?? book.ranking.joker };
}
