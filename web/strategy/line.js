// The sentence of a line: when it applies, and how it sets the hand.

/** Splits the sentence of a line at its colon. A sentence without a colon has no condition. @param {string} says @returns {{ when: string, then: string }} */
export function lineParts(says) {
  const at = says.indexOf(": ");
  return at < 0 ? { when: "", then: says } : { when: says.slice(0, at), then: says.slice(at + 2) };
}
