// Finding rules in a book.

/** @typedef {{ find: string, assumed: boolean }} Wish */

/** Whether a rule has every word, and is assumed where only that is asked for. @param {(string | undefined)[]} texts @param {{ cite: string, assumed: boolean }} from where it comes from @param {Wish} wish */
export function fits(texts, { cite, assumed }, { find, assumed: onlyAssumed }) {
  if (onlyAssumed && !assumed) return false;
  const all = [...texts, cite].join(" ").toLowerCase();
  return find.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
