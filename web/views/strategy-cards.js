// <pg-strategy-cards>: the strategy cards that come with the program.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { strategyCards } from "../api.js";
import { words } from "../words.js";
import { addressOf } from "../study/address.js";
import { finePercent, percent } from "../study/numbers.js";
import { shortTitle } from "../study/book-title.js";
import { faultNote, waiting } from "../study/notes.js";
import { bankerTerms } from "../strategy/terms.js";

class StrategyCards extends Component {
  /** @type {import("../protocol").CardEntry[]} */
  cards = [];
  /** The term for the banker of each book with a card for banking seats. @type {Record<string, string>} */
  terms = {};
  fault = "";

  begin() {
    this.#load();
  }

  async #load() {
    this.fault = "";
    try {
      const cards = await strategyCards();
      this.terms = await bankerTerms(cards.filter(({ side }) => side === "banker"));
      this.cards = cards;
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }

  view() {
    const { strategy: say } = words;
    return h("div", { class: "page" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      faultNote(this.fault, () => this.#load()),
      !this.fault && !this.cards.length && waiting(say.loading),
      this.cards.length > 0 && h("p", { class: "small" }, say.listWhy),
      h("ul", { class: "strategy-list", "aria-label": say.title }, this.cards.map((card) => this.#card(card))));
  }

  /** @param {import("../protocol").CardEntry} card */
  #card(card) {
    const { strategy: say } = words;
    const side = /** @type {"player"} */ (card.side);
    const fact = (/** @type {string} */ title, /** @type {import("../dom.js").Child} */ value) => h("div", { key: title }, h("dt", null, title), h("dd", null, value));
    return h("li", { key: card.id, class: "panel strategy-entry" },
      h("h2", null, h("a", { href: `/cards/${card.id}` }, say.rules(card.lines.length)), h("small", null, shortTitle(card.book_title))),
      h("dl", { class: "strategy-facts" },
        fact(say.cost, h("span", null, h("b", { class: "amount" }, finePercent(card.cost)), " ", h("small", null, say.costWhy))),
        fact(say.edge[side], percent(card.edge, { decimals: 3 })),
        fact(say.side, say.sides(this.terms[card.book])[side]),
        fact(say.against, say.houseWay(card.against_title))),
      h("p", { class: "row" },
        h("a", { class: "button primary", href: addressOf("/trainer", { by: card.id }) }, say.learn, h("span", { class: "unseen" }, `: ${card.title}`)),
        h("a", { class: "button", href: `/cards/${card.id}` }, say.open, h("span", { class: "unseen" }, `: ${card.title}`))));
  }
}

define("pg-strategy-cards", StrategyCards);
