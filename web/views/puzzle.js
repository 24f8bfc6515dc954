// <pg-puzzle>: the puzzle of the day, or that of a past day.

import "../puzzle/countdown.js";
import "../puzzle/share.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ApiError, ask, books } from "../api.js";
import { announce } from "../announce.js";
import { cardsOf } from "../cards/card-text.js";
import { isLegalSetting } from "../cards/evaluate.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";
import { costOf, costText, settings, worthText } from "../lab/settings.js";
import { commonWays, facts, record } from "../puzzle/parts.js";
import { addDays, longDay } from "../puzzle/days.js";
import { isBest, loadAnswers, saveAnswer, streaks } from "../puzzle/record.js";
import { analysisOf, indexOfLow, whyBetter } from "../puzzle/solution.js";
import { addressOf } from "../study/address.js";
import { finePercent } from "../study/numbers.js";
import { faultNote, waiting } from "../study/notes.js";
import { settingCards } from "../study/small-cards.js";
import { choiceCards, choiceKeys, choiceWords, handsOf, toggled } from "../trainer/choice.js";

/**
 * @typedef {import("../puzzle/solution.js").Puzzle} Puzzle
 * @typedef {import("../puzzle/solution.js").Solution} Solution
 * @typedef {import("../puzzle/record.js").Answer} Answer
 * @typedef {import("../lab/settings.js").Analysis} Analysis
 * @typedef {{ ways: Solution["ways"], analysis: Analysis, yours: number }} Solved the solution, and the index of the player's setting, or -1
 */

const TODAY = "today";

class PuzzleOfTheDay extends Component {
  /** @type {{ day?: string }} */
  params = {};
  /** @type {Puzzle | null} */
  puzzle = null;
  /** @type {import("../cards/evaluate.js").Ranking | null} */
  ranking = null;
  /** @type {string[]} */
  low = [];
  /** @type {Solved | null} */
  solved = null;
  answers = loadAnswers();
  fault = "";
  missing = false;
  busy = false;
  display = { chosen: 0, all: false, exact: false };
  #loads = 0;
  /** The action that failed. */
  #retry = () => {};

  /** The answer to this puzzle. @returns {Answer | undefined} */
  get #answer() {
    return this.puzzle ? this.answers[this.puzzle.day] : undefined;
  }

  begin() {
    choiceKeys(this, { cards: () => cardsOf(this.puzzle?.cards), isComplete: () => false, toggle: (card) => this.#toggle(card), clear: () => this.#clear(), enter: () => this.#confirm() });
    this.on(preferences, "change", () => this.update());
    // Another tab may have answered.
    this.on(window, "storage", () => this.#readAnswers());
    this.#load();
  }

  #readAnswers() {
    this.answers = { ...this.answers, ...loadAnswers() };
    if (this.#answer && !this.solved && !this.busy) this.#showSolution();
    this.update();
  }

  async #load() {
    const load = ++this.#loads;
    this.fault = "";
    this.missing = false;
    this.update();
    try {
      const [puzzle, all] = await Promise.all([this.#ask(this.params.day ?? TODAY), books()]);
      if (load !== this.#loads) return;
      const before = this.puzzle;
      this.puzzle = puzzle;
      this.ranking = (all.find(({ id }) => id === puzzle.book) ?? all[0]).ranking;
      if (before?.day !== puzzle.day) {
        this.low = [];
        this.solved = null;
        if (before) announce(words.puzzle.newDay(puzzle.number));
      }
      this.#readAnswers();
    } catch (error) {
      if (this.signal.aborted || load !== this.#loads) return;
      this.missing = error instanceof ApiError && ["no_such_puzzle", "bad_day"].includes(error.code);
      this.fault = this.missing ? "" : errorText(error);
      this.#retry = () => this.#load();
      this.update();
    }
  }

  /** @param {string} day @returns {Promise<Puzzle>} */
  #ask(day) {
    return ask(`/api/puzzles/${encodeURIComponent(day)}`, { signal: this.signal });
  }

  /** Loads the solution of an answered puzzle. */
  async #showSolution() {
    const { puzzle } = this;
    const answer = this.#answer;
    if (!puzzle || !answer) return;
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      const solution = await this.#solution(puzzle.day);
      if (this.puzzle?.day === puzzle.day) this.#solve(solution, answer.low);
    } catch (error) {
      if (this.signal.aborted) return;
      this.fault = errorText(error);
      this.#retry = () => this.#showSolution();
    }
    this.busy = false;
    this.update();
  }

  /** @param {string} day @returns {Promise<Solution>} */
  #solution(day) {
    return ask(`/api/puzzles/${encodeURIComponent(day)}/solution`, { signal: this.signal });
  }

  /** @param {Solution} solution @param {string} low of the answer */
  #solve(solution, low) {
    if (!this.ranking) return;
    const analysis = analysisOf(solution, this.ranking);
    const yours = indexOfLow(analysis.settings, cardsOf(low));
    this.solved = { ways: solution.ways, analysis, yours };
    this.display = { ...this.display, chosen: Math.max(0, yours), all: false };
  }

  /** @param {string} card */
  #toggle(card) {
    if (this.#answer || this.busy) return;
    this.low = toggled(this.low, card);
    this.update();
  }

  #clear() {
    if (this.#answer || this.busy) return;
    this.low = [];
    this.fault = "";
    this.update();
  }

  /** Whether the chosen cards give a legal setting; `null` until two are chosen. */
  get #isLegal() {
    const { puzzle, ranking, low } = this;
    const hands = puzzle && ranking && handsOf(cardsOf(puzzle.cards), low, ranking);
    return hands ? isLegalSetting(hands.high, hands.low) : null;
  }

  /** Gives the answer. Returns `false` if none can be given. */
  #confirm() {
    const { puzzle } = this;
    if (!puzzle || this.#answer || this.busy || !this.#isLegal) return false;
    void this.#judge(puzzle, this.low);
    return true;
  }

  /** @param {Puzzle} puzzle @param {string[]} low */
  async #judge(puzzle, low) {
    const { day, difficulty } = puzzle;
    this.busy = true;
    this.fault = "";
    this.update();
    try {
      // The puzzle again: the day may have ended while the player was thinking.
      const [solution, now] = await Promise.all([this.#solution(day), this.#ask(day)]);
      if (this.puzzle?.day === day) {
        this.#solve(solution, low.join(" "));
        const setting = this.solved?.analysis.settings[this.solved.yours];
        if (this.solved && setting) {
          this.answers = saveAnswer(day, { low: low.join(" "), cost: costOf(this.solved.analysis, setting), difficulty, own: now.today === day }, this.answers);
          this.puzzle = now;
          // Another tab may have answered first. Its answer counts.
          this.#solve(solution, this.answers[day].low);
          announce(this.#verdictText(this.solved));
        } else {
          this.solved = null;
          this.fault = words.puzzle.foul;
          this.#retry = () => this.#clear();
        }
      }
    } catch (error) {
      if (this.signal.aborted) return;
      this.fault = errorText(error);
      this.#retry = () => this.#confirm();
    }
    this.busy = false;
    this.update();
    if (this.solved) queueMicrotask(() => /** @type {HTMLElement | null} */ (this.querySelector("#judged-title"))?.focus());
  }

  /** Returns the verdict in words: the rank, the cost and the reason. @param {Solved} solved */
  #verdictText({ analysis, yours }) {
    const { puzzle: say, study } = words;
    const [best] = analysis.settings;
    const given = analysis.settings[yours];
    if (!given) return "";
    if (!given.best) return [study.cost(costText(analysis, given)), say.rank(yours + 1, analysis.settings.length), whyBetter(best, given)].join(" ");
    const other = analysis.settings.find((setting) => !setting.best);
    return [say.rightWhy, other && say.nextBest(costText(analysis, other)), other && whyBetter(best, other)].filter(Boolean).join(" ");
  }

  view() {
    const { puzzle: say } = words;
    const { puzzle, ranking, solved } = this;
    const answer = this.#answer;
    return h("div", { class: "page puzzle" },
      h("header", { class: "head" }, h("h1", null, say.title), h("p", null, say.lead)),
      this.missing && h("p", { class: "panel", role: "status" }, say.missing),
      faultNote(this.fault, () => this.#retry()),
      !puzzle && !this.fault && !this.missing && waiting(say.loading),
      puzzle && ranking && [
        h("section", { class: "puzzle-top", key: "top", "aria-labelledby": "puzzle-name" },
          h("div", { class: "puzzle-head" }, h("h2", { id: "puzzle-name" }, say.name(puzzle.number, longDay(puzzle.day))),
            puzzle.day === puzzle.today ? h("pg-countdown", { class: "small", ".until": puzzle.next_at, ".over": this.#refresh }) : h("p", { class: "small" }, say.past)),
          this.#felt(puzzle, ranking),
          facts(puzzle)),
        answer && !solved && this.busy && waiting(say.judging),
        answer && solved && [
          this.#judged(puzzle, solved, answer),
          settings(solved.analysis, { ...this.display, yours: solved.yours, change: (some) => { this.display = { ...this.display, ...some }; this.update(); } }),
          commonWays(solved.ways, solved.analysis),
          h("pg-puzzle-share", { key: "share", ".result": { number: puzzle.number, day: puzzle.day, answer, streak: answer.own ? streaks(this.answers, puzzle.today).current : 0 } })],
        record(this.answers, puzzle.today)],
      this.#links());
  }

  #refresh = () => this.#load();

  #links() {
    const { puzzle: say } = words;
    const { puzzle } = this;
    const link = (/** @type {string} */ path, /** @type {string} */ text) => h("a", { key: text, class: "button slim plain", href: path }, text);
    return h("nav", { class: "row", "aria-label": say.title },
      puzzle && puzzle.day > puzzle.first && link(`/puzzle/${addDays(puzzle.day, -1)}`, say.before),
      puzzle && puzzle.day < puzzle.today && link(`/puzzle/${addDays(puzzle.day, 1)}`, say.after),
      (this.missing || (puzzle && puzzle.day !== puzzle.today)) && link("/puzzle", say.today),
      link("/puzzle/archive", say.archive));
  }

  /** @param {Puzzle} puzzle @param {import("../cards/evaluate.js").Ranking} ranking */
  #felt(puzzle, ranking) {
    const { puzzle: say, trainer } = words;
    const { solved } = this;
    const cards = cardsOf(puzzle.cards);
    const shown = solved?.analysis.settings[this.display.chosen];
    const low = shown ? cardsOf(shown.low) : this.#answer ? cardsOf(this.#answer.low) : this.low;
    const legal = this.#isLegal;
    const keys = preferences.value.keys;
    const fixed = this.#answer !== undefined || this.busy;
    return h("section", { class: "lab-felt trainer-felt", key: "felt", "aria-label": words.lab.hand },
      fixed ? h("h3", null, solved && this.display.chosen !== solved.yours ? say.ranked(this.display.chosen + 1) : say.yours)
        : h("div", null, h("h3", null, say.ask), h("p", { class: "trainer-how" }, say.how)),
      choiceCards({ cards, low, ranking, fixed, toggle: (card) => this.#toggle(card) }),
      choiceWords(cards, low, ranking, h("p", { class: ["puzzle-legal", { foul: legal === false }] }, fixed || legal === null ? "" : legal ? say.legal : say.foul)),
      !this.#answer && h("div", { class: "row" },
        h("button", { key: "set", type: "button", class: "button primary", disabled: !legal || this.busy, onclick: () => this.#confirm() }, say.confirm, keys && h("kbd", { "aria-hidden": "true" }, trainer.key)),
        h("button", { key: "clear", type: "button", class: "button", disabled: !low.length || this.busy, onclick: () => this.#clear() }, trainer.clear, keys && h("kbd", { "aria-hidden": "true" }, "C")),
        this.busy && waiting(say.judging)));
  }

  /** @param {Puzzle} puzzle @param {Solved} solved @param {Answer} answer */
  #judged(puzzle, solved, answer) {
    const { puzzle: say, study, trainer } = words;
    const { analysis, yours } = solved;
    const right = isBest(answer);
    const row = (/** @type {string} */ title, /** @type {import("../lab/settings.js").Setting} */ setting) => h("div", { class: "judged-row", key: title },
      h("dt", null, title), h("dd", null, settingCards(setting, analysis.ranking), h("span", null, setting.low_says, " · ", setting.high_says), h("span", { class: "small amount" }, trainer.worth(worthText(setting)))));
    return h("section", { class: ["panel", "judged", right ? "is-right" : "is-wrong"], key: "judged", "aria-labelledby": "judged-title" },
      h("h2", { id: "judged-title", tabindex: -1, class: right ? "good" : "bad" }, h("span", { "aria-hidden": "true" }, right ? "✓ " : "✗ "), right ? say.right : say.wrong),
      h("p", { class: "judged-why" }, this.#verdictText(solved) || (right ? say.rightWhy : study.cost(finePercent(answer.cost)))),
      h("dl", null, analysis.settings[yours] && row(say.yours, analysis.settings[yours]), !right && row(trainer.shouldBest, analysis.settings[0])),
      h("p", null, h("a", { href: addressOf("/lab", { cards: cardsOf(puzzle.cards).join(" "), book: puzzle.book }) }, say.lab)));
  }
}

define("pg-puzzle", PuzzleOfTheDay);
