// The drawings of the cards as SVG symbols. A symbol is created at its first use; cards refer to it with `<use>`.

import { h, render } from "../dom.js";
import { JOKER } from "./card-text.js";
import { back } from "./back.js";
import { index } from "./card-index.js";
import { jack } from "./jack.js";
import { joker } from "./joker.js";
import { king } from "./king.js";
import { pips } from "./pips.js";
import { queen } from "./queen.js";
import { mark } from "./suits.js";

/**
 * @typedef {import("../dom.js").Child} Child
 * @typedef {import("./suits.js").Suit} Suit
 */

const SVG = "http://www.w3.org/2000/svg";
const PORTRAITS = { J: jack, Q: queen, K: king };
/** Ids of the symbols that exist. @type {Set<string>} */
const symbols = new Set();
/** @type {Element | null} */
let sprite = null;

/** Describes a card face up: its index, its picture, and the large suit that replaces the picture on narrow cards. @param {string} card */
export function face(card) {
  const corner = use("index", card, () => index(card));
  if (card === JOKER) return drawing(corner, use("court", card, joker), large("star"));
  const [rank, suit] = /** @type {[string, Suit]} */ ([...card]);
  const portrait = PORTRAITS[/** @type {"J" | "Q" | "K"} */ (rank)];
  return drawing(corner, portrait ? use("court", card, () => portrait(suit)) : use("pips", card, () => pips(rank, suit)), large(suit));
}

/** Describes a card face down. */
export function reverse() {
  return drawing(use("back", "red", back));
}

/** Describes a suit on its own. @param {Suit} suit */
export function suitMark(suit) {
  return h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, large(suit));
}

/** @param {...Child} parts */
function drawing(...parts) {
  return h("svg", { class: "card-art", viewBox: "0 0 100 140", "aria-hidden": "true" }, parts);
}

/** @param {import("./suits.js").Mark} name */
const large = (name) => use("pip", name, () => mark(name, 50, 50, 100), 100);

/**
 * Describes a reference to a symbol, and creates the symbol if it does not exist.
 * @param {"index" | "court" | "pips" | "pip" | "back"} kind @param {string} name @param {() => Child} draw @param {number} [height]
 */
function use(kind, name, draw, height = 140) {
  const id = `card-${kind}-${name}`;
  if (!symbols.has(id)) {
    symbols.add(id);
    const symbol = document.createElementNS(SVG, "symbol");
    symbol.id = id;
    symbol.setAttribute("viewBox", `0 0 100 ${height}`);
    render(symbol, draw());
    spriteElement().append(symbol);
  }
  return h("use", { class: kind, href: `#${id}`, width: 100, height });
}

/** Returns the element that holds the symbols. It has a size of zero: with `display: none`, gradients and patterns have no effect. */
function spriteElement() {
  if (!sprite) {
    sprite = document.createElementNS(SVG, "svg");
    sprite.setAttribute("class", "card-sprite");
    sprite.setAttribute("aria-hidden", "true");
    document.body.append(sprite);
  }
  return sprite;
}
