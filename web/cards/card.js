// <pg-card card="As">: a card face up; without `card`, face down. `as` is the card that the joker stands for ("K", "Kd").
// `quiet` hides the card from screen readers, where adjacent text describes it.

import { define } from "../component.js";
import { h, render } from "../dom.js";
import { words } from "../words.js";
import { JOKER, rankOf } from "./card-text.js";
import { cardName } from "./names.js";
import { face, reverse, suitMark } from "./sprite.js";

class Card extends HTMLElement {
  static observedAttributes = ["card", "as", "quiet"];
  /** The state that is drawn; `null` before the first drawing. @type {string | null} */
  #drawn = null;
  #changed = false;

  connectedCallback() {
    this.#draw();
  }

  /** Draws the card in a microtask, when all attributes of a patch are set. */
  attributeChangedCallback() {
    if (!this.isConnected || this.#changed) return;
    this.#changed = true;
    queueMicrotask(() => {
      this.#changed = false;
      if (this.isConnected) this.#draw();
    });
  }

  #draw() {
    const card = this.getAttribute("card") ?? "";
    const as = this.getAttribute("as") ?? "";
    const quiet = this.hasAttribute("quiet");
    const drawn = `${card} ${as} ${quiet}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.toggleAttribute("back", !card);
    this.dataset.suit = card === JOKER ? "joker" : card.slice(1);
    this.#describe(quiet ? null : card ? cardName(card, as) : words.card.back);
    render(this, card ? face(card) : reverse(), card === JOKER && as && standsFor(as));
  }

  /** Sets the name for screen readers, or hides the card from them. @param {string | null} name */
  #describe(name) {
    const attributes = name === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": name };
    for (const attribute of ["aria-hidden", "role", "aria-label"]) this.removeAttribute(attribute);
    for (const [attribute, value] of Object.entries(attributes)) this.setAttribute(attribute, value);
  }
}

/** Describes the tag with the card that the joker stands for. Style sheets show as many of its parts as the card has room for. @param {string} as */
function standsFor(as) {
  const [rank, suit] = /** @type {[string, import("./suits.js").Suit | undefined]} */ ([...as]);
  return h("span", { class: ["stands", { suited: suit }] },
    h("span", { class: "plays" }, words.card.plays), h("span", { class: "name" }, words.card.ranks[rankOf(`${rank}s`)]),
    h("span", { class: "letter" }, rank === "T" ? "10" : rank), suit && suitMark(suit));
}

define("pg-card", Card);
