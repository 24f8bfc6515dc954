// <pg-strategy-card>: a strategy card as it is printed, on A6 or A4.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { strategyCards } from "../api.js";
import { words } from "../words.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { QueryComponent } from "../study/query-component.js";
import { faultNote, waiting } from "../study/notes.js";
import { PAPERS, measure, paperFor } from "../strategy/paper.js";
import { printCard } from "../strategy/print-card.js";
import { bankerTerms } from "../strategy/terms.js";

class StrategyCard extends QueryComponent {
  /** @type {Record<string, string>} */
  params = {};
  /** @type {import("../protocol").CardEntry | null} */
  card = null;
  term = "banker";
  /** The chosen paper. @type {import("../strategy/paper.js").Paper} */
  paper = "a6";
  /** Type sizes, or `null` until they are measured. @type {import("../strategy/paper.js").Fit | null} */
  fit = null;
  missing = false;
  fault = "";

  begin() {
    this.queryChanged();
    // The sizes of letters change when the fonts are loaded.
    this.on(document.fonts, "loadingdone", () => this.#measure());
    this.#load();
  }

  queryChanged() {
    this.paper = PAPERS.find(({ paper }) => paper === this.query.get("paper"))?.paper ?? "a6";
    this.update();
  }

  async #load() {
    this.fault = "";
    try {
      const card = (await strategyCards()).find(({ id }) => id === this.params.card) ?? null;
      this.missing = card === null;
      if (card) {
        this.term = (await bankerTerms([card]))[card.book];
        if (!this.signal.aborted) document.title = words.app.titled(card.title);
      }
      this.card = card;
    } catch (error) {
      this.fault = errorText(error);
    }
    this.update();
  }

  /** Measures the card in the fonts that are loaded. */
  #measure() {
    const shown = this.querySelector(".print-card");
    // The layout of pages gives other heights.
    if (!shown || matchMedia("print").matches) return;
    this.fit = measure(shown);
    this.update();
  }

  updated() {
    if (this.card && !this.fit) this.#measure();
  }

  /** @param {import("../strategy/paper.js").Paper} paper */
  #choose(paper) {
    this.paper = paper;
    replaceQuery(`/cards/${this.params.card}`, { paper });
    this.update();
  }

  /** The sentence on the printed size. @param {import("../protocol").CardEntry} card @param {import("../strategy/paper.js").Paper} paper the paper that the card is printed on */
  #size(card, paper) {
    const { strategy: say } = words;
    if (!this.fit) return say.measuring;
    const nameOf = (/** @type {import("../strategy/paper.js").Paper} */ one) => /** @type {typeof PAPERS[number]} */ (PAPERS.find((size) => size.paper === one));
    const type = this.fit[paper];
    const fits = type ? say.fits(nameOf(paper).name, type.points) : say.fitsNowhere;
    return paper === this.paper ? fits : `${say.fitsNot(nameOf(this.paper).name, card.lines.length, nameOf(this.paper).min)} ${fits}`;
  }

  view() {
    const { strategy: say } = words;
    const { card, fit } = this;
    if (!card) {
      return h("div", { class: "page" }, h("header", { class: "head" }, h("h1", null, this.missing ? say.missing : say.title)),
        faultNote(this.fault, () => this.#load()), this.missing ? h("p", null, h("a", { href: "/cards" }, say.all)) : !this.fault && waiting(say.loading));
    }
    const paper = fit ? paperFor(this.paper, fit) : this.paper;
    return h("div", { class: "page strategy-card" },
      h("header", { class: "head" }, h("h1", null, card.title),
        h("p", { class: "row" },
          h("a", { class: "button primary", href: addressOf("/trainer", { by: card.id }) }, say.learn),
          h("a", { class: "button", href: addressOf("/designer", { way: card.id, book: card.book, side: card.side }) }, say.designer),
          h("a", { class: "button plain", href: "/cards" }, say.all))),
      h("div", { class: "panel strategy-print" },
        h("fieldset", { class: "choices" }, h("legend", null, say.paper), PAPERS.map((one) => h("label", { key: one.paper },
          h("input", { type: "radio", name: "paper", value: one.paper, ".checked": this.paper === one.paper, onchange: () => this.#choose(one.paper) }), say.papers[one.paper]))),
        h("button", { type: "button", class: "button", onclick: () => window.print() }, say.print),
        h("p", { class: "small", role: "status" }, this.#size(card, paper))),
      h("div", { class: "print-frame", key: "frame" }, printCard(card, { paper, type: fit?.[paper] ?? null, term: this.term })));
  }
}

define("pg-strategy-card", StrategyCard);
