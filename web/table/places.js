// Where things lie on the felt, in hundredths of its width and height. The dealer stands at the top; seats are numbered clockwise from
// the dealer's left, which is our right.

/** The middle of each seat's spot. @param {number} count @returns {{ x: number, y: number }[]} */
export function spots(count) {
  return Array.from({ length: count }, (_, place) => {
    const share = count === 1 ? 0.5 : place / (count - 1);
    // Side by side, so that no seat covers another however low the felt is, on a bow below the dealer.
    const x = 90 - share * 80;
    return { x, y: 16 + 56 * Math.sqrt(1 - ((x - 50) / 48) ** 2) };
  });
}
