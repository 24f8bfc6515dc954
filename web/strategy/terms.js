// The books' terms for the banker, for cards of banking seats.

import { bankerTerm, rules } from "../api.js";

/** Returns the term for the banker of each book of some cards. @param {{ book: string }[]} cards @returns {Promise<Record<string, string>>} */
export async function bankerTerms(cards) {
  const books = [...new Set(cards.map(({ book }) => book))];
  const terms = await Promise.all(books.map(async (book) => [book, bankerTerm(await rules(book))]));
  return Object.fromEntries(terms);
}
