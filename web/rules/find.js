// Finding rules in a book.

/** @typedef {{ find: string, assumed: boolean }} Wish */

/** Whether a rule has every word, and is assumed where only that is asked for. @param {(string | undefined)[]} texts @param {string} cite @param {Wish} wish */
export function fits(texts, cite, { find, assumed }) {
  if (assumed && !cite.startsWith("assumed:")) return false;
  const all = [...texts, cite].join(" ").toLowerCase();
  return find.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
