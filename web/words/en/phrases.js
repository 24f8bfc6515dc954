// The phrases of house ways in the words of a player.

const RANKS = /** @type {Record<string, string>} */ ({ 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" });
const plural = (/** @type {string} */ rank) => (rank === "six" ? "sixes" : `${rank}s`);

/** Words for ranks such as `9-A`, `K or A` or `7`. @param {string} text @param {boolean} many @returns {string} */
function ranks(text, many) {
  const name = (/** @type {string} */ letter) => (many ? plural(RANKS[letter]) : RANKS[letter]);
  const [, low, high] = /^([2-9TJQKA])-([2-9TJQKA])$/.exec(text) ?? [];
  if (!low) return text.split(" or ").map((one) => (one.length > 1 ? ranks(one, many) : name(one))).join(" or ");
  if (low === "2") return `${name(high)} or lower`;
  return high === "A" ? `${name(low)} or higher` : `${name(low)} to ${name(high)}`;
}

/** Ranks at the end of a phrase. `three of a kind` has none. */
const SOME = "([2-9TJQKA](?:-[2-9TJQKA])?(?: or [2-9TJQKA](?:-[2-9TJQKA])?)*)$";

/** @type {[RegExp, (...parts: string[]) => string][]} */
const PHRASES = [
  [/^pairs sum at most (\d+)$/, (sum) => `pairs that add up to ${sum} or less`],
  [/^pairs sum at least (\d+)$/, (sum) => `pairs that add up to ${sum} or more`],
  [/^(\w+) and (\w+) highest singles sum at (most|least) (\d+)$/, (one, other, which, sum) =>
    `the ${one === "first" && other === "second" ? "two" : `${one} and ${other}`} highest single cards adding up to ${sum} or ${which === "most" ? "less" : "more"}`],
  [new RegExp(`^(pair|three|four|five) ${SOME}`), (group, some) => `${{ pair: "a pair of", three: "three", four: "four", five: "five" }[group]} ${ranks(some, true)}`],
  [new RegExp(`^(higher|lower) (pair|three) ${SOME}`), (which, group, some) => `the ${which} ${group} ${ranks(some, true)}`],
  [new RegExp(`^a single ${SOME}`), (some) => `a single ${ranks(some, false)}`],
  [new RegExp(`^no single ${SOME}`), (some) => `no single ${ranks(some, false)}`],
  [new RegExp(`^((?:\\w+ )?highest) single ${SOME}`), (nth, some) => `the ${nth} single card ${ranks(some, false)}`],
  [/^(a|no) complete hand$/, (article) => `${article} straight or flush`],
];

/** Returns a phrase of a condition in the words of a player. A phrase without other words is returned as it is. @param {string} phrase */
export function phraseWords(phrase) {
  for (const [pattern, say] of PHRASES) {
    const parts = pattern.exec(phrase);
    if (parts) return say(...parts.slice(1));
  }
  return phrase;
}
