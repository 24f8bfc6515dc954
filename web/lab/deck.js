// <pg-deck>: the deck to choose cards from. It is one tab stop; arrow keys move within it.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { JOKER, RANKS } from "../cards/card-text.js";
import { cardName } from "../cards/names.js";
import { words } from "../words.js";

const ROW = 13;
/** Spades, hearts, diamonds, clubs, each from the ace down; then the joker. */
const ORDER = [..."shdc"].flatMap((suit) => [...RANKS].reverse().map((rank) => rank + suit)).concat(JOKER);

class Deck extends Component {
  /** @type {string[]} */
  #chosen = [];
  /** Index of the card with the tab stop. */
  #current = 0;
  /** Called with the card that is pressed. @type {(card: string) => void} */
  onpick = () => {};

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
      ORDER.map((card, index) => {
        const on = this.#chosen.includes(card);
        return h("button", {
          key: card, type: "button", class: ["deck-card", { on, joker: card === JOKER }], tabindex: index === this.#current ? 0 : -1,
          "aria-pressed": String(on), "aria-disabled": full && !on ? "true" : null,
          onclick: () => { this.#current = index; this.onpick(card); this.update(); },
        }, h("pg-card", { card, quiet: true }), h("span", { class: "unseen" }, cardName(card)));
      }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // On narrow screens a row has fewer cards, so up and down use the positions on the screen.
    const targets = /** @type {Record<string, () => number>} */ ({
      ArrowLeft: () => this.#current - 1, ArrowRight: () => this.#current + 1, Home: () => this.#current - (this.#current % ROW), End: () => Math.min(this.#current - (this.#current % ROW) + ROW - 1, ORDER.length - 1),
      ArrowUp: () => this.#nearest(-1), ArrowDown: () => this.#nearest(1),
    });
    const to = targets[event.key]?.();
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= ORDER.length) return;
    this.#current = to;
    this.update();
    this.querySelectorAll("button")[to].focus();
  }

  /** Returns the index of the nearest card in the next row on the screen. @param {1 | -1} direction */
  #nearest(direction) {
    const boxes = [...this.querySelectorAll("button")].map((button) => button.getBoundingClientRect());
    const here = boxes[this.#current];
    let best = this.#current;
    let least = Infinity;
    boxes.forEach((box, index) => {
      const vertical = (box.top - here.top) * direction;
      const distance = vertical * 4 + Math.abs(box.left - here.left);
      if (vertical > 4 && distance < least) [best, least] = [index, distance];
    });
    return best;
  }
}

define("pg-deck", Deck);
