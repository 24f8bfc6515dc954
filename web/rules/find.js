// Text search in the rules of a book.

/** @typedef {{ find: string, assumed: boolean }} Filter words to find, and whether to show assumed rules only */

/** Whether a rule contains every word of a filter, and is assumed if the filter requires it. @param {(string | undefined)[]} texts @param {{ cite: string, assumed: boolean }} source @param {Filter} filter */
export function matchesFilter(texts, { cite, assumed }, { find, assumed: onlyAssumed }) {
  if (onlyAssumed && !assumed) return false;
  const all = [...texts, cite].join(" ").toLowerCase();
  return find.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
