// The books' terms for the banker, for cards of banking seats.

import { bankerTerm, rules } from "../api.js";

/** Returns the term for the banker of each book of some cards. @param {{ book: string }[]} cards @returns {Promise<Record<string, string>>} */
export async function bankerTerms(cards) {
  /** @type {Record<string, string>} */
  const terms = {};
  // One after the other: the server accepts only a few questions of an address at once.
  for (const book of new Set(cards.map(({ book }) => book))) terms[book] = bankerTerm(await rules(book));
  return terms;
}
