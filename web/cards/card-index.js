// Index of a card: the rank above the suit, in the top left corner of a box of 100 × 140.

import { h } from "../dom.js";
import { words } from "../words.js";
import { JOKER, suitOf } from "./card-text.js";
import { mark } from "./suits.js";

const CENTER = 18;

/** @param {string} card */
export function index(card) {
  if (card === JOKER) return [mark("star", CENTER, 19, 30), h("text", { class: "card-rank", x: CENTER, y: 57, "font-size": 25 }, words.card.jokerMark)];
  const suit = /** @type {import("./suits.js").Suit} */ (suitOf(card));
  // The tails of J and Q reach below the line.
  const tail = "JQ".includes(card[0]);
  return [
    h("text", {
      class: "card-rank", x: CENTER, y: tail ? 30.5 : 33.5, "font-size": tail ? 37 : 40,
      ...(card[0] === "T" ? { textLength: 31, lengthAdjust: "spacingAndGlyphs" } : {}),
    }, card[0] === "T" ? "10" : card[0]),
    mark(suit, CENTER, 50, 22),
  ];
}
