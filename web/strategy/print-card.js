// A strategy card as it is printed.

import { h } from "../dom.js";
import { words } from "../words.js";
import { finePercent, share } from "../study/numbers.js";
import { shortTitle } from "../study/book-title.js";
import { lineParts } from "./line.js";

/**
 * @typedef {import("../protocol").CardEntry} CardEntry
 * @typedef {import("./paper.js").Paper} Paper
 */

const SUITS = ["♠", "♥", "♣", "♦"];
/** Replaces hyphens, so that no line breaks within `queen-ten`. @param {string} text */
const unbroken = (text) => text.replaceAll("-", "\u2011");

/** @param {CardEntry} card @param {{ paper: Paper, type: import("./paper.js").Type | null, term: string }} shown the type, or `null` if the card does not fit or is not measured; the book's term for the banker */
export function printCard(card, { paper, type, term }) {
  const { strategy: say } = words;
  const suits = (/** @type {string} */ key) => h("span", { key, class: "print-suits", "aria-hidden": "true" }, SUITS.map((suit, index) => h("span", { class: index % 2 ? "red" : null }, suit)));
  const adds = card.lines.some(({ when }) => / sum at (most|least) /.test(when));
  const singles = card.lines.some(({ when, set }) => `${when} ${set.join(" ")}`.includes("single"));
  return h("article", { class: ["print-card", paper, type ? type.dense && "dense" : "long"], key: "card", style: type ? { "--text": type.points } : null, "aria-label": card.title },
    h("header", { class: "print-head" },
      suits("before"),
      h("div", null, h("h2", null, say.paperTitle), h("p", null, say.paperRules(card.lines.length))),
      suits("after")),
    h("p", { class: "print-how" }, say.how),
    h("ol", { class: "print-rules" }, card.lines.map(({ says, hands }, index) => {
      const { when, then } = lineParts(says);
      return h("li", { key: index },
        h("span", { class: "print-number", "aria-hidden": "true" }, index + 1),
        h("p", null, when && [h("b", null, unbroken(when), ":"), " "], unbroken(then)),
        h("span", { class: "print-often" }, say.often(share(hands, card.hands, 1))));
    })),
    h("footer", { class: "print-foot" },
      h("p", null, [adds && say.sums, singles && say.single, say.wheel[/** @type {"lowest"} */ (card.ranking.wheel)], say.joker[/** @type {"semi_wild"} */ (card.ranking.joker)]].filter(Boolean).map((text) => unbroken(String(text))).join(" ")),
      h("p", null, say.for(say.sides(term)[/** @type {"player"} */ (card.side)], shortTitle(card.book_title), say.houseWay(card.against_title)), " ",
        h("b", null, say.gives(finePercent(card.cost))), " ", h("span", { class: "print-exact" }, say.exactly(card.cost_exact)))));
}
