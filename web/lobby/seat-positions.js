// Positions of the seats on the small felt of a plaque, in percent of its width and height. The dealer is at the top. Seats are numbered clockwise from the
// dealer's left, which is the right side of the screen.

/** Returns the center of each seat. @param {number} count @returns {{ x: number, y: number }[]} */
export function seatPositions(count) {
  return Array.from({ length: count }, (_, index) => {
    const share = count === 1 ? 0.5 : index / (count - 1);
    // Equal horizontal distances on an arc below the dealer: seats do not overlap, even on a low felt.
    const x = 90 - share * 80;
    return { x, y: 16 + 56 * Math.sqrt(1 - ((x - 50) / 48) ** 2) };
  });
}
