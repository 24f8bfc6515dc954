// Outlines of the suits and of the joker's star, in a box of 100 × 100.

import { h } from "../dom.js";

const SHAPES = {
  s: "M50 4C60 25 92 42 92 65c0 14-10 21-20 21-8 0-14-3-18-9 1 9 4 15 12 19H34c8-4 11-10 12-19-4 6-10 9-18 9C18 86 8 79 8 65 8 42 40 25 50 4Z",
  h: "M50 94C40 74 7 57 7 31 7 16 18 7 29 7c10 0 17 6 21 16C54 13 61 7 71 7c11 0 22 9 22 24 0 26-33 43-43 63Z",
  d: "M50 3c9 19 20 34 35 47-15 13-26 28-35 47-9-19-20-34-35-47C30 37 41 22 50 3Z",
  c: "M50 5c13 0 22 9 22 21 0 7-3 12-7 16 3-2 6-2 9-2 12 0 21 9 21 21s-9 21-21 21c-8 0-15-4-19-10 1 10 4 18 12 24H33c8-6 11-14 12-24-4 6-11 10-19 10C14 82 5 73 5 61s9-21 21-21c3 0 6 0 9 2-4-4-7-9-7-16C28 14 37 5 50 5Z",
  star: "M50 2 63 35 98 37 71 59 80 93 50 74 20 93 29 59 2 37 37 35Z",
};

/** @typedef {"c" | "d" | "h" | "s"} Suit */
/** @typedef {keyof typeof SHAPES} Mark */

/** Describes the path of a mark with its center at (x, y). @param {Mark} name @param {number} x @param {number} y @param {number} width @param {import("../dom.js").Props} [attributes] */
export function mark(name, x, y, width, attributes) {
  return h("path", { d: SHAPES[name], transform: `translate(${x - width / 2} ${y - width / 2}) scale(${width / 100})`, ...attributes });
}
