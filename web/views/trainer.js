// <pg-trainer>: hands to set, judged exactly.

import "../shell/confirm.js";
import "../trainer/card-course.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { define } from "../component.js";
import { ask, books, houseWays, strategyCards } from "../api.js";
import { announce } from "../announce.js";
import { cardsOf } from "../cards/card-text.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";
import { costOf, costText, worthText } from "../lab/settings.js";
import { addressOf, replaceQuery } from "../study/address.js";
import { QueryComponent } from "../study/query-component.js";
import { deal, oneOf } from "../study/deal.js";
import { settingCards } from "../study/small-cards.js";
import { finePercent } from "../study/numbers.js";
import { shortTitle } from "../study/book-title.js";
import { citation, faultNote } from "../study/notes.js";
import { choiceKeys, toggled } from "../trainer/choice.js";
import { felt } from "../trainer/felt.js";
import { judge, settingOf } from "../trainer/judge.js";
import { KINDS, kindOf } from "../trainer/kinds.js";
import { loadProgress, noProgress, saveProgress, weakKinds, withAnswer } from "../trainer/progress.js";
import { clauses, numbers, weakSpots } from "../trainer/report.js";

/** @typedef {import("../lab/settings.js").Lab} Lab */

const BEST = "best";
/** Number of deals to try for a hand of the chosen kind. */
const DEALS_MAX = 20_000;

class Trainer extends QueryComponent {
  /** @type {import("../protocol").BookSummary[]} */
  books = [];
  /** @type {{ id: string, title: string }[]} */
  ways = [];
  /** @type {import("../protocol").CardEntry[]} */
  strategyCards = [];
  book = "";
  by = BEST;
  /** @type {"any" | "weak" | import("../trainer/kinds.js").Kind} */
  kindFilter = "any";
  /** @type {string[]} */
  cards = [];
  /** @type {string[]} */
  low = [];
  /** @type {Lab | null} */
  lab = null;
  /** @type {ReturnType<typeof judge> | null} */
  verdict = null;
  fault = "";
  progress = noProgress();
  #hands = 0;

  queryChanged() {
    if (this.isConnected && this.books.length) this.#readQuery();
  }

  begin() {
    choiceKeys(this, {
      cards: () => this.cards, isComplete: () => this.low.length === 2, toggle: (card) => this.#toggle(card), clear: () => this.#clear(),
      // The course of a card has its own keys.
      enter: () => (this.#card ? false : this.verdict ? this.#next() : this.#confirm()),
    });
    this.on(preferences, "change", () => this.update());
    this.#load();
  }

  async #load() {
    this.fault = "";
    try {
      [this.books, this.ways, this.strategyCards] = await Promise.all([books(), houseWays(), strategyCards()]);
      this.#readQuery();
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  /** Reads the state from the address. */
  #readQuery() {
    const { books: all, ways } = this;
    const [book, by] = [this.query.get("book"), this.query.get("by")];
    this.book = all.some(({ id }) => id === book) ? String(book) : this.book || all[0].id;
    this.by = [...ways, ...this.strategyCards].some(({ id }) => id === by) ? String(by) : by === BEST ? BEST : this.by;
    this.#startExercise();
  }

  /** Storage key of the progress. */
  get #exercise() {
    return `${this.book} ${this.by}`;
  }

  /** The strategy card that is being learned, or undefined. */
  get #card() {
    return this.strategyCards.find(({ id }) => id === this.by);
  }

  get #ranking() {
    const book = this.books.find(({ id }) => id === this.book) ?? this.books[0];
    return book.ranking;
  }

  get #way() {
    return this.ways.find(({ id }) => id === this.by)?.title ?? "";
  }

  get #wrongText() {
    return this.by === BEST ? words.trainer.wrong.best : words.trainer.wrong.way;
  }

  /** Starts the chosen exercise. */
  #startExercise() {
    replaceQuery("/trainer", { book: this.#card ? null : this.book, by: this.by });
    if (this.#card) return this.#startCourse();
    this.progress = loadProgress(this.#exercise);
    this.#deal();
  }

  /** Leaves the other exercises for the course of a card, which deals its own hands. */
  #startCourse() {
    this.#hands += 1;
    this.cards = [];
    this.low = [];
    this.verdict = null;
    this.fault = "";
    this.update();
  }

  async #deal() {
    const hand = ++this.#hands;
    const spots = this.kindFilter === "weak" ? weakKinds(this.progress) : this.kindFilter === "any" ? [] : [this.kindFilter];
    const kind = spots.length ? oneOf(spots) : null;
    this.cards = deal();
    for (let tries = 0; kind && tries < DEALS_MAX && kindOf(this.cards) !== kind; tries++) this.cards = deal();
    this.low = [];
    this.lab = null;
    this.verdict = null;
    this.fault = "";
    this.update();
    try {
      const lab = await ask("/api/lab", { body: { cards: this.cards.join(" "), book: this.book }, signal: this.signal });
      if (hand === this.#hands) this.lab = lab;
    } catch (error) {
      if (this.signal.aborted || hand !== this.#hands) return;
      this.fault = errorText(error);
    }
    this.update();
  }

  /** @param {string} card */
  #toggle(card) {
    if (this.verdict) return;
    this.low = toggled(this.low, card);
    this.update();
  }

  #clear() {
    if (this.verdict) return;
    this.low = [];
    this.update();
  }

  get #isFoul() {
    return this.low.length === 2 && this.lab !== null && !settingOf(this.lab, this.low);
  }

  #confirm() {
    if (!this.lab || this.verdict || this.low.length !== 2 || this.#isFoul) return;
    const verdict = judge(this.lab, this.by, this.low);
    this.verdict = verdict;
    const { right, way, given } = verdict;
    const cost = given ? Number(costOf(this.lab, given)) : 1;
    this.progress = withAnswer(this.progress, { kind: kindOf(this.cards), right, cost, clause: way && { cite: way.cite, says: way.says } });
    saveProgress(this.#exercise, this.progress);
    announce([right ? words.trainer.right : this.#wrongText, this.#explanation()].join(". "));
    this.update();
    queueMicrotask(() => /** @type {HTMLElement | null} */ (this.querySelector(".trainer-next"))?.focus());
  }

  #next() {
    this.#deal();
    queueMicrotask(() => /** @type {HTMLElement | null} */ (this.querySelector(".trainer-card"))?.focus());
  }

  #resetProgress() {
    this.progress = noProgress();
    saveProgress(this.#exercise, this.progress);
    this.update();
  }

  /** Returns the sentence that explains the verdict. */
  #explanation() {
    const { trainer: say } = words;
    if (!this.verdict || !this.lab) return "";
    const { right, way, given } = this.verdict;
    if (way) return right ? `${say.rightWay(this.#way)} ${way.says}` : way.says;
    if (right) return say.rightBest;
    return given ? this.#costSentence(given) : say.foul;
  }

  /** Returns the sentence on the cost and the rank of a setting. @param {import("../lab/settings.js").Setting} setting */
  #costSentence(setting) {
    const { lab } = this;
    return lab ? `${words.study.cost(costText(lab, setting))} ${words.trainer.rank(lab.settings.indexOf(setting) + 1)}` : "";
  }

  view() {
    const { trainer: say } = words;
    return h("div", { class: "page trainer" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      this.books.length > 0 && this.#fields(),
      this.#card ? h("pg-card-course", { key: this.#card.id, ".card": this.#card }) : this.#exercises());
  }

  /** The exercises with the best setting and with house ways. */
  #exercises() {
    const { trainer: say } = words;
    return [
      this.#invitation(),
      faultNote(this.fault, () => (this.books.length && this.ways.length ? this.#deal() : this.#load())),
      this.cards.length > 0 && this.#felt(),
      this.verdict && this.#judged(),
      h("div", { class: "trainer-two" }, numbers(this.progress), weakSpots(this.progress, (kind) => { this.kindFilter = kind; this.#deal(); window.scrollTo({ top: 0 }); })),
      this.by !== BEST && clauses(this.progress),
      h("div", { class: "row" }, h("span", { class: "small" }, say.kept),
        h("pg-confirm", { ".question": { label: say.reset.button, question: say.reset.ask, yes: say.reset.yes, no: say.reset.no, act: () => this.#resetProgress() } }))];
  }

  #fields() {
    const { trainer: say, study, course } = words;
    const option = (/** @type {[string, string]} */ [id, title]) => h("option", { value: id, key: id }, title);
    const select = (/** @type {string} */ label, /** @type {string} */ name, /** @type {string} */ value, /** @type {(value: string) => void} */ choose, /** @type {import("../dom.js").Child} */ options) =>
      h("label", { class: "field", key: name }, label, h("select", { name, ".value": value, onchange: (/** @type {any} */ event) => choose(event.target.value) }, options));
    return h("form", { class: "panel fields", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      select(say.by, "by", this.by, (by) => { this.by = by; this.#startExercise(); }, [
        option([BEST, say.best]),
        h("optgroup", { key: "cards", label: course.group }, this.strategyCards.map((card) => option([card.id, course.option(card.lines.length, shortTitle(card.book_title))]))),
        h("optgroup", { key: "ways", label: say.ways }, this.ways.map(({ id, title }) => option([id, say.wayOf(title)])))]),
      !this.#card && [
        select(study.book, "book", this.book, (book) => { this.book = book; this.#startExercise(); }, this.books.map(({ id, title }) => option([id, title]))),
        select(say.deal, "focus", this.kindFilter, (focus) => { this.kindFilter = /** @type {any} */ (focus); this.#deal(); },
          [option(["any", say.focus.any]), option(["weak", say.focus.weak]), ...KINDS.map((kind) => option([kind, say.kinds[kind]]))])]);
  }

  /** The strategy cards, for players who have not chosen one. */
  #invitation() {
    const { course: say, strategy } = words;
    return this.by === BEST && this.strategyCards.length > 0 && h("section", { class: "panel trainer-invitation", key: "cards", "aria-label": say.group },
      h("p", null, say.invite),
      h("p", { class: "row" }, this.strategyCards.map((card) => h("a", { key: card.id, class: "button slim", href: addressOf("/trainer", { by: card.id }) },
        say.inviteCard(card.lines.length, finePercent(card.cost)), h("span", { class: "unseen" }, `: ${card.title}`))),
        h("a", { class: "button slim plain", href: "/cards" }, strategy.all)));
  }

  #felt() {
    const { trainer: say } = words;
    return felt({
      title: this.by === BEST ? say.ask.best : say.ask.way(this.#way),
      cards: this.cards, low: this.low, ranking: this.#ranking, isFoul: this.#isFoul, isJudged: this.verdict !== null, isLoaded: this.lab !== null, isWaiting: !this.lab && !this.fault,
      next: say.next,
      act: { toggle: (card) => this.#toggle(card), confirm: () => this.#confirm(), clear: () => this.#clear(), next: () => this.#next() },
    });
  }

  #judged() {
    const { trainer: say } = words;
    const { verdict, lab } = this;
    if (!verdict || !lab) return null;
    const { right, way, wanted, given } = verdict;
    const row = (/** @type {string} */ title, /** @type {import("../lab/settings.js").Setting} */ setting) => h("div", { class: "judged-row", key: title },
      h("dt", null, title), h("dd", null, settingCards(setting, lab.ranking), h("span", null, setting.low_says, " · ", setting.high_says), h("span", { class: "small amount" }, say.worth(worthText(setting)))));
    return h("section", { class: ["panel", "judged", right ? "is-right" : "is-wrong"], key: "judged", "aria-labelledby": "judged-title" },
      h("h2", { id: "judged-title", class: right ? "good" : "bad" }, h("span", { "aria-hidden": "true" }, right ? "✓ " : "✗ "), right ? say.right : this.#wrongText),
      h("p", { class: "judged-why" }, this.#explanation()),
      way && citation(way),
      h("dl", null, !right && given && row(say.yours, given), row(way ? say.shouldWay(this.#way) : say.shouldBest, wanted), way && !wanted.best && row(say.shouldBest, lab.settings[0])),
      way && !right && given && h("p", { class: "small" }, this.#costSentence(given)),
      way && !wanted.best && h("p", { class: "small" }, say.wayCosts(costText(lab, wanted))),
      h("p", null, h("a", { href: addressOf("/lab", { cards: cardsOf(lab.cards).join(" "), book: this.book }) }, say.lab)));
  }
}

define("pg-trainer", Trainer);
