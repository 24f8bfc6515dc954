// How hands rank at a table: as its book says, with what is otherwise here, but the joker as its posted paytables want it.

/**
 * @typedef {import("../cards/evaluate.js").Ranking} Ranking
 * @typedef {import("../protocol").Book} Book
 * @typedef {{ facts: Pick<import("./view-types.js").Facts, "wagers" | "changes"> }} Posted
 */

/** @type {Ranking} */
const USUAL = { joker: "semi_wild", wheel: "second_highest" };

/** @param {Book | null} book @param {Posted | null} view @returns {Ranking} */
export function rankingOf(book, view) {
  if (!book || !view) return USUAL;
  const { wagers, changes } = view.facts;
  const jokers = wagers.map(({ wager, paytable }) => book.wagers.find((one) => one.wager === wager)?.paytables.find((one) => one.paytable === paytable)?.joker);
  return { wheel: word(changes["ranking.wheel"]) ?? book.ranking.wheel, joker: jokers.find(Boolean) ?? word(changes["ranking.joker"]) ?? book.ranking.joker };
}

/** What a question by the book must say of the table. @param {Book | null} book @param {Posted} view @returns {{ changes?: Record<string, string> }} */
export function changesOf(book, view) {
  const { joker } = rankingOf(book, view);
  const changes = { ...view.facts.changes, ...(book && book.ranking.joker !== joker ? { "ranking.joker": joker } : {}) };
  return Object.keys(changes).length > 0 ? { changes } : {};
}

/** A value as it stands in a file, without its quotation marks. @param {string | undefined} text */
const word = (text) => text?.replace(/^"(.*)"$/, "$1");
