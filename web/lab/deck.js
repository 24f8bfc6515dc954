// The deck to choose from. One stop for the tab key; arrow keys move within it.

import { h } from "../dom.js";
import { Piece, define } from "../piece.js";
import { JOKER, RANKS } from "../cards/card-text.js";
import { cardName } from "../cards/names.js";
import { words } from "../words.js";

const ROW = 13;
/** Spades first, aces first, the joker last. */
const ORDER = [..."shdc"].flatMap((suit) => [...RANKS].reverse().map((rank) => rank + suit)).concat(JOKER);

class Deck extends Piece {
  /** @type {string[]} */
  #chosen = [];
  #at = 0;
  /** What to do with a card that is pressed. @type {(card: string) => void} */
  act = () => {};

  get chosen() {
    return this.#chosen;
  }

  set chosen(cards) {
    this.#chosen = cards;
    this.update();
  }

  view() {
    const full = this.#chosen.length >= 7;
    return h("div", { class: "deck", role: "group", "aria-label": words.lab.deck, onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
      ORDER.map((card, place) => {
        const on = this.#chosen.includes(card);
        return h("button", {
          key: card, type: "button", class: ["deck-card", { on, joker: card === JOKER }], tabindex: place === this.#at ? 0 : -1,
          "aria-pressed": String(on), "aria-disabled": full && !on ? "true" : null,
          onclick: () => { this.#at = place; this.act(card); this.update(); },
        }, h("pg-card", { card, quiet: true }), h("span", { class: "unseen" }, cardName(card)));
      }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // A narrow deck has fewer cards in a row: what is above is where it looks above.
    const steps = /** @type {Record<string, () => number>} */ ({
      ArrowLeft: () => this.#at - 1, ArrowRight: () => this.#at + 1, Home: () => this.#at - (this.#at % ROW), End: () => Math.min(this.#at - (this.#at % ROW) + ROW - 1, ORDER.length - 1),
      ArrowUp: () => this.#beside(-1), ArrowDown: () => this.#beside(1),
    });
    const to = steps[event.key]?.();
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= ORDER.length) return;
    this.#at = to;
    this.update();
    this.querySelectorAll("button")[to].focus();
  }

  /** The nearest card in the next row of the screen. @param {1 | -1} way */
  #beside(way) {
    const boxes = [...this.querySelectorAll("button")].map((button) => button.getBoundingClientRect());
    const here = boxes[this.#at];
    let best = this.#at;
    let least = Infinity;
    boxes.forEach((box, place) => {
      const down = (box.top - here.top) * way;
      const far = down * 4 + Math.abs(box.left - here.left);
      if (down > 4 && far < least) [best, least] = [place, far];
    });
    return best;
  }
}

define("pg-deck", Deck);
