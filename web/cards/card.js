// <pg-card card="As">: a card face up; without `card`, face down. `as` is the card that the joker stands for ("K", "Kd").
// `quiet` hides the card from screen readers, where adjacent text describes it.

import { define } from "../component.js";
import { JOKER } from "./card-text.js";
import { mark } from "./suits.js";
import { cardName } from "./names.js";
import { words } from "../words.js";

class Card extends HTMLElement {
  static observedAttributes = ["card", "as", "quiet"];
  #drawn = "";

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const card = this.getAttribute("card") ?? "";
    const as = this.getAttribute("as") ?? "";
    const drawn = `${card} ${as} ${this.hasAttribute("quiet")}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.toggleAttribute("back", !card);
    this.dataset.suit = card === JOKER ? "joker" : card.slice(1);
    if (this.hasAttribute("quiet")) {
      this.setAttribute("aria-hidden", "true");
      this.removeAttribute("role");
      this.removeAttribute("aria-label");
    } else {
      this.removeAttribute("aria-hidden");
      this.setAttribute("role", "img");
      this.setAttribute("aria-label", card ? cardName(card, as) : words.card.back);
    }
    this.replaceChildren(...(card ? face(card, as) : []));
  }
}

/** @param {string} card @param {string} as @returns {Node[]} */
function face(card, as) {
  if (card === JOKER) {
    const parts = [text("rank", words.card.jokerMark), mark("cap", "suit"), mark("cap", "pip")];
    return as ? [...parts, standsFor(as)] : parts;
  }
  const suit = /** @type {"c" | "d" | "h" | "s"} */ (card[1]);
  const rank = card[0] === "T" ? "10" : card[0];
  const pip = "JQK".includes(card[0]) ? [mark("crown", "crown"), mark(suit, "pip court")] : [mark(suit, "pip")];
  return [text(rank === "10" ? "rank ten" : "rank", rank), mark(suit, "suit"), ...pip];
}

/** The mark of the card that the joker stands for. @param {string} as */
function standsFor(as) {
  const tag = text("stands", as[0] === "T" ? "10" : as[0]);
  if (as[1]) tag.append(mark(/** @type {"c" | "d" | "h" | "s"} */ (as[1])));
  return tag;
}

/** @param {string} className @param {string} content */
function text(className, content) {
  const span = document.createElement("span");
  span.className = className;
  span.textContent = content;
  return span;
}

define("pg-card", Card);
