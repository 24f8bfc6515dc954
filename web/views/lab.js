// <pg-lab>: the hand lab. For any seven cards it shows every setting, every house way and every bonus.

import "../lab/deck.js";
import "../shell/share-button.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { ask, books } from "../api.js";
import { announce } from "../announce.js";
import { JOKER, cardsOf, sorted } from "../cards/card-text.js";
import { cardName } from "../cards/names.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";
import { bonus } from "../lab/bonus.js";
import { settings, worthText } from "../lab/settings.js";
import { ways } from "../lab/ways.js";
import { replaceQuery } from "../study/address.js";
import { QueryComponent } from "../study/query-component.js";
import { deal } from "../study/deal.js";
import { jokersOf, smallCards } from "../study/small-cards.js";
import { duplicates, readCards } from "../study/paste.js";
import { faultNote, waiting } from "../study/notes.js";

/** @typedef {import("../lab/settings.js").Lab} LabAnswer */

class Lab extends QueryComponent {
  /** @type {string[]} */
  cards = [];
  book = "";
  /** House way of the dealer; empty for that of the book. */
  way = "";
  /** @type {{ id: string, title: string, house_way: string }[]} */
  books = [];
  /** @type {LabAnswer | null} */
  lab = null;
  fault = "";
  pasteFault = "";
  busy = false;
  deckOpen = false;
  display = { chosen: 0, all: false, exact: false };
  /** @type {AbortController | null} */
  #request = null;

  queryChanged() {
    const { cards } = readCards(this.query.get("cards") ?? "");
    this.cards = sorted([...new Set(cards)].slice(0, 7));
    this.book = this.query.get("book") ?? this.book;
    this.way = this.query.get("way") ?? "";
    if (this.isConnected && this.books.length) this.#analyze();
  }

  begin() {
    this.on(window, "keydown", (event) => this.#key(event));
    this.on(preferences, "change", () => this.update());
    this.#load();
  }

  async #load() {
    this.fault = "";
    try {
      this.books = await books();
    } catch (error) {
      this.fault = errorText(error);
      return this.update();
    }
    if (!this.books.some(({ id }) => id === this.book)) this.book = this.books[0].id;
    this.#analyze();
  }

  /** @param {string[]} cards */
  #setCards(cards) {
    this.cards = cards;
    this.pasteFault = "";
    this.#analyze();
  }

  /** Requests the analysis of the hand, if it has seven cards. Cancels an earlier request. */
  async #analyze() {
    replaceQuery("/lab", { cards: this.cards.join(" "), book: this.cards.length || this.query.get("book") ? this.book : "", way: this.way });
    this.#request?.abort();
    this.fault = "";
    this.display = { ...this.display, chosen: 0, all: false };
    this.busy = this.cards.length === 7;
    if (!this.busy) this.lab = null;
    this.update();
    if (!this.busy) return;
    const request = new AbortController();
    this.#request = request;
    try {
      const lab = await ask("/api/lab", { body: { cards: this.cards.join(" "), book: this.book, ...(this.way ? { changes: { "house_way.way": this.way } } : {}) }, signal: AbortSignal.any([request.signal, this.signal]) });
      this.lab = lab;
      const [best] = lab.settings;
      announce(words.lab.done(best.low_says, best.high_says, worthText(best)));
    } catch (error) {
      if (request.signal.aborted || this.signal.aborted) return;
      this.lab = null;
      this.fault = errorText(error);
    }
    this.busy = false;
    this.update();
  }

  /** @param {string} card */
  #toggle(card) {
    if (this.cards.includes(card)) this.#setCards(this.cards.filter((other) => other !== card));
    else if (this.cards.length < 7) this.#setCards(sorted([...this.cards, card]));
  }

  #random() {
    this.deckOpen = false;
    this.#setCards(deal());
  }

  #clear() {
    this.#setCards([]);
  }

  /** @param {string} text */
  #paste(text) {
    const { cards, wrong } = readCards(text);
    const repeated = duplicates(cards);
    const say = words.lab;
    this.pasteFault = [wrong.length && say.notCards(excerpt(wrong)), repeated.length && say.cardsTwice(repeated.map((card) => cardName(card)).join(", ")),
      !wrong.length && !repeated.length && cards.length !== 7 && say.notSeven(cards.length)].filter(Boolean).join(" ");
    if (this.pasteFault) this.update();
    else this.#setCards(sorted(cards));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (!preferences.value.keys || event.ctrlKey || event.metaKey || event.altKey || target?.closest("input, select, textarea, dialog")) return;
    if (event.key === "r") this.#random();
    else if (event.key === "c") this.#clear();
  }

  view() {
    const { lab: say } = words;
    const way = this.lab?.house_ways.find(({ house_way }) => house_way === this.lab?.house_way)?.title;
    return h("div", { class: "page lab" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      h("div", { class: "lab-top" }, this.#felt(), this.#chooser()),
      faultNote(this.fault, () => (this.books.length ? this.#analyze() : this.#load())),
      this.busy && !this.lab && waiting(say.counting),
      this.lab && h("div", { class: ["lab-answer", { stale: this.busy }], key: "answer", "aria-busy": String(this.busy) },
        h("div", { class: "lab-main" },
          settings(this.lab, { ...this.display, change: (some) => { this.display = { ...this.display, ...some }; this.update(); } }),
          way && h("p", { class: "small" }, say.against(way), this.way && [" ", h("button", { type: "button", class: "button slim plain", onclick: () => { this.way = ""; this.#analyze(); } }, say.bookWay)]),
          bonus(this.lab, this.books)),
        ways(this.lab)),
      !this.cards.length && h("section", { key: "examples", class: "stack" }, h("h2", null, say.examples),
        h("ul", { class: "examples" }, say.exampleHands.map(([cards, title]) => h("li", { key: cards },
          h("button", { type: "button", class: "panel example", onclick: () => this.#setCards(sorted(cardsOf(cards))) }, smallCards(sorted(cardsOf(cards))), h("span", null, title)))))));
  }

  #felt() {
    const { lab: say } = words;
    const setting = this.cards.length === 7 && !this.busy ? this.lab?.settings[this.display.chosen] : null;
    return h("section", { class: "lab-felt", key: "felt", "aria-label": say.hand },
      setting && this.lab
        ? h("div", { class: "lab-hand is-set" }, this.#group("low", say.low, setting.low_says, setting, this.lab.ranking), this.#group("high", say.high, setting.high_says, setting, this.lab.ranking))
        : h("div", { class: "lab-hand" }, h("div", { class: "lab-cards" }, Array.from({ length: 7 }, (_, index) => this.#card(this.cards[index], null, index))),
          h("p", { class: "lab-words" }, this.cards.length < 7 ? say.missing(7 - this.cards.length) : this.busy && say.counting)),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", onclick: () => this.#random() }, say.random, preferences.value.keys && h("kbd", { "aria-hidden": "true" }, "R")),
        h("button", { type: "button", class: "button", disabled: !this.cards.length, onclick: () => this.#clear() }, say.clear, preferences.value.keys && h("kbd", { "aria-hidden": "true" }, "C")),
        this.cards.length === 7 && h("pg-share"),
        this.cards.length === 7 && h("button", { type: "button", class: "button open-deck", "aria-expanded": String(this.#deckShown()), onclick: () => { this.deckOpen = !this.deckOpen; this.update(); } }, say.openDeck)));
  }

  #deckShown() {
    return this.deckOpen || this.cards.length < 7;
  }

  /** @param {"low" | "high"} part @param {string} title @param {string} says @param {{ low: string, high: string }} setting @param {import("../cards/evaluate.js").Ranking} ranking */
  #group(part, title, says, setting, ranking) {
    const joker = jokersOf(setting, ranking)[part];
    return h("div", { class: `lab-group is-${part}`, key: part },
      h("div", { class: "lab-cards" }, cardsOf(setting[part]).map((card, index) => this.#card(card, joker, index))),
      h("p", { class: "lab-words" }, h("small", null, title), " ", says));
  }

  /** @param {string | undefined} card @param {string | null} joker @param {number} index */
  #card(card, joker, index) {
    if (!card) return h("span", { class: "lab-slot", key: `slot ${index}`, role: "img", "aria-label": words.lab.slot(index + 1) });
    return h("button", { type: "button", key: card, class: "lab-card", title: words.lab.remove(cardName(card)), onclick: () => this.#toggle(card) },
      h("pg-card", { card, as: card === JOKER ? joker : null, quiet: true }), h("span", { class: "unseen" }, words.lab.remove(cardName(card))));
  }

  #chooser() {
    const { lab: say, study } = words;
    return h("div", { class: ["panel", "lab-choose", { closed: !this.#deckShown() }], key: "choose" },
      h("pg-deck", { own: true, ".chosen": this.cards, ".onpick": this.#pick }),
      h("p", { class: "small deck-why" }, say.deckWhy),
      h("div", { class: "lab-fields" },
        h("label", { class: "field" }, study.book, h("select", { name: "book", ".value": this.book, onchange: (/** @type {any} */ event) => { this.book = event.target.value; this.#analyze(); } },
          this.books.map(({ id, title }) => h("option", { value: id, key: id }, title)))),
        h("form", { class: "paste", onsubmit: (/** @type {any} */ event) => { event.preventDefault(); this.#paste(event.target.elements.cards.value); } },
          h("label", { class: "field" }, say.paste, h("input", { name: "cards", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: say.pasteLike,
            "aria-invalid": this.pasteFault ? "true" : null, "aria-describedby": this.pasteFault ? "paste-fault" : null })),
          h("button", { class: "button" }, say.pasteUse)),
        this.pasteFault && h("p", { class: "fault small", id: "paste-fault", role: "alert" }, this.pasteFault)));
  }

  #pick = (/** @type {string} */ card) => this.#toggle(card);
}

/** Returns the first parts of the pasted text, truncated. @param {string[]} parts */
function excerpt(parts) {
  const cut = parts.slice(0, 5).map((part) => (part.length > 12 ? `${part.slice(0, 12)}…` : part)).join(", ");
  return parts.length > 5 ? `${cut}…` : cut;
}

define("pg-lab", Lab);
