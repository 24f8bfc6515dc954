// Numbers with their noun.

/** Returns a number with its noun: `1 rule`, `2 rules`, `1,234 rules`. @param {number} count @param {string} one @param {string} many */
export const counted = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
