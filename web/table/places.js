// Where things lie on the felt, in hundredths of its width and height. The dealer stands at the top; seats are numbered clockwise from
// the dealer's left, which is our right.

/** The middle of each seat's spot. @param {number} count @returns {{ x: number, y: number }[]} */
export function spots(count) {
  return Array.from({ length: count }, (_, place) => {
    const share = count === 1 ? 0.5 : place / (count - 1);
    const angle = (4 + share * 172) * (Math.PI / 180);
    return { x: 50 + 41 * Math.cos(angle), y: 29 + 47 * Math.sin(angle) };
  });
}
