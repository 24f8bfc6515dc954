// Pips of the number cards, and the ace. They are drawn right of the index, in a box of 100 × 140.

import { h } from "../dom.js";
import { GOLD } from "./colors.js";
import { mark } from "./suits.js";

/** Places of the pips: the column from 0 to 2 and the row from 0 to 6. @type {Record<string, [number, number][]>} */
const PLACES = {
  2: [[1, 0], [1, 6]],
  3: [[1, 0], [1, 3], [1, 6]],
  4: [[0, 0], [2, 0], [0, 6], [2, 6]],
  5: [[0, 0], [2, 0], [1, 3], [0, 6], [2, 6]],
  6: [[0, 0], [2, 0], [0, 3], [2, 3], [0, 6], [2, 6]],
  7: [[0, 0], [2, 0], [1, 1.5], [0, 3], [2, 3], [0, 6], [2, 6]],
  8: [[0, 0], [2, 0], [1, 1.5], [0, 3], [2, 3], [1, 4.5], [0, 6], [2, 6]],
  9: [[0, 0], [2, 0], [0, 2], [2, 2], [1, 3], [0, 4], [2, 4], [0, 6], [2, 6]],
  T: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2], [0, 4], [2, 4], [1, 5], [0, 6], [2, 6]],
};

/** @param {string} rank @param {import("./suits.js").Suit} suit */
export function pips(rank, suit) {
  if (rank === "A") return ace(suit);
  return PLACES[rank].map(([column, row]) => {
    const [x, y] = [44 + column * 18.5, 22 + row * 16];
    const pip = mark(suit, x, y, 17.5);
    return row > 3 ? h("g", { transform: `rotate(180 ${x} ${y})` }, pip) : pip;
  });
}

/** @param {import("./suits.js").Suit} suit */
function ace(suit) {
  return [
    h("g", { fill: "none", stroke: GOLD, "stroke-width": 0.9, opacity: 0.9 },
      h("circle", { cx: 61, cy: 82, r: 33 }), h("circle", { cx: 61, cy: 82, r: 30.5, "stroke-dasharray": "1 3.26" })),
    mark(suit, 61, 82, 42),
  ];
}
