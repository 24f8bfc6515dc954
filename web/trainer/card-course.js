// <pg-card-course>: teaches a strategy card rule by rule.

import "../shell/confirm.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ask } from "../api.js";
import { announce } from "../announce.js";
import { cardsOf, sorted } from "../cards/card-text.js";
import { settings as preferences } from "../settings.js";
import { words } from "../words.js";
import { fraction, minus, written } from "../study/fractions.js";
import { faultNote, waiting } from "../study/notes.js";
import { choiceKeys, toggled } from "./choice.js";
import { felt } from "./felt.js";
import { isEquivalent, settingOf } from "./judge.js";
import { probableMistake } from "./mistake.js";
import { bestExamples, cardSetting, courseHead, introduction, judgement, mistakeText, rulesLearned } from "./course-parts.js";
import { courseReport } from "./course-report.js";
import { nextStep } from "./course-plan.js";
import { learn, learnedLines, loadCourse, noCourse, saveCourse, withCourseAnswer } from "./course-progress.js";

/**
 * @typedef {import("../protocol").CardEntry} CardEntry
 * @typedef {import("../protocol").Exercise} Exercise
 * @typedef {import("../lab/settings.js").Setting} Setting
 * @typedef {{ given: Setting, wanted: Setting, right: boolean, mistake: import("./mistake.js").Mistake | null }} CourseVerdict
 */

/** Number of hands that are drawn for a new rule. Of these, the examples are those on which the rule saves most. */
const DRAWN = 5;

class CardCourse extends Component {
  /** @type {CardEntry} */
  card = /** @type {any} */ (null);
  progress = noCourse();
  /** @type {import("./course-plan.js").Step | null} */
  step = null;
  /** Examples of a new rule. @type {Exercise[]} */
  examples = [];
  /** @type {Exercise | null} */
  exercise = null;
  /** Seed of the hand. */
  seed = 0;
  /** @type {string[]} */
  low = [];
  /** @type {CourseVerdict | null} */
  verdict = null;
  stored = true;
  fault = "";
  #steps = 0;
  /** Selector of the element that gets the focus once it is rendered. */
  #focus = "";

  begin() {
    choiceKeys(this, {
      cards: () => this.#cards, isComplete: () => this.low.length === 2, toggle: (card) => this.#toggle(card), clear: () => this.#clear(),
      enter: () => this.#enter(),
    });
    this.on(preferences, "change", () => this.update());
    this.progress = loadCourse(this.card.id);
    this.#advance();
  }

  /** The seven cards, in descending order; none while a rule is introduced. */
  get #cards() {
    return this.exercise ? sorted(cardsOf(this.exercise.cards)) : [];
  }

  #enter() {
    if (this.step && "learn" in this.step) this.#practice();
    else if (this.verdict) this.#next();
    else this.#confirm();
  }

  /** Goes to the next step, and loads its hands. */
  async #advance() {
    const visit = ++this.#steps;
    const step = nextStep(this.card, this.progress, Date.now());
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    this.step = step;
    this.seed = "ask" in step ? step.ask.seed ?? seed : seed;
    this.exercise = null;
    this.examples = [];
    this.low = [];
    this.verdict = null;
    this.fault = "";
    this.update();
    const { id: card, book, lines } = this.card;
    const body = "learn" in step
      ? { card, book, seed, line: step.learn, count: DRAWN, ...(lines[step.learn - 1].contested ? { contested: true } : {}) }
      : { card, book, ...step.ask, seed: this.seed };
    try {
      const { hands } = await ask("/api/exercises", { body, signal: this.signal });
      if (visit !== this.#steps) return;
      if ("learn" in step) {
        this.examples = bestExamples(hands);
        announce(`${words.course.newRule(step.learn, lines.length)}. ${lines[step.learn - 1].says}`);
      } else [this.exercise] = hands;
    } catch (error) {
      if (this.signal.aborted || visit !== this.#steps) return;
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
    return this.low.length === 2 && this.exercise !== null && !settingOf(this.exercise, this.low);
  }

  #confirm() {
    const { exercise, step } = this;
    const given = exercise && settingOf(exercise, this.low);
    if (!exercise || !given || this.verdict || !step || !("ask" in step)) return;
    const wanted = cardSetting(exercise);
    const right = isEquivalent(given, wanted);
    const mistake = right ? null : probableMistake(exercise, given);
    this.verdict = { given, wanted, right, mistake };
    const over = (/** @type {Setting} */ setting) => (right ? "0/1" : written(minus(fraction(setting.ev_exact), fraction(given.ev_exact))));
    this.#save(withCourseAnswer(this.card, this.progress, {
      line: exercise.line, contested: exercise.contested, drawn: { seed: this.seed, ...(step.ask.line ? { contested: exercise.contested } : { dealt: true }) }, repeated: step.why === "missed", right, at: Date.now(),
      cost: { card: over(wanted), best: over(exercise.settings[0]) },
    }));
    const { course: say } = words;
    announce([right ? say.right : say.wrong, say.decides(exercise.line, this.card.lines[exercise.line - 1].says), !right && mistakeText(this.card, exercise, mistake)].filter(Boolean).join(". "));
    this.#focus = ".trainer-next";
    this.update();
  }

  #next() {
    this.#focus = ".trainer-card, .course-practice";
    this.#advance();
  }

  updated() {
    /** @type {HTMLElement | null} */
    const element = this.#focus ? this.querySelector(this.#focus) : null;
    if (!element) return;
    this.#focus = "";
    element.focus();
  }

  /** Ends the introduction of a rule. */
  #practice() {
    if (!this.step || !("learn" in this.step) || !this.examples.length) return;
    this.#save(learn(this.card, this.progress, [this.step.learn], Date.now()));
    this.#next();
  }

  /** Marks all rules as learned. */
  #practiceAll() {
    this.#save(learn(this.card, this.progress, this.card.lines.map((_, index) => index + 1), Date.now()));
    this.#next();
  }

  /** @param {import("./course-progress.js").CourseProgress} progress */
  #save(progress) {
    this.progress = progress;
    this.stored = saveCourse(this.card.id, progress);
  }

  #reset() {
    this.#save(noCourse());
    this.#advance();
  }

  view() {
    const { course: say, trainer } = words;
    const { card, progress, step } = this;
    const { reset } = trainer;
    return h("div", { class: "course" },
      courseHead(card, learnedLines(card, progress).length),
      faultNote(this.fault, () => this.#advance()),
      !this.stored && h("p", { class: "fault", key: "stored", role: "alert" }, say.notStored),
      step && "learn" in step
        ? introduction(card, step.learn, this.examples, { practice: () => this.#practice(), practiceAll: () => this.#practiceAll() })
        : this.exercise ? this.#hand() : !this.fault && waiting(trainer.loading),
      this.verdict && this.exercise && judgement(card, this.exercise, this.verdict),
      rulesLearned(card, learnedLines(card, progress)),
      courseReport(card, progress, Date.now()),
      h("div", { class: "row", key: "reset" }, h("span", { class: "small" }, trainer.kept),
        h("pg-confirm", { ".question": { label: reset.button, question: reset.ask, yes: reset.yes, no: reset.no, act: () => this.#reset() } })));
  }

  /** The hand to set. */
  #hand() {
    const { course: say } = words;
    const why = this.step && "ask" in this.step ? this.step.why : "due";
    return felt({
      title: say.ask, note: h("p", { class: "course-why" }, say.why[why]),
      cards: this.#cards, low: this.low, ranking: this.card.ranking, isFoul: this.#isFoul, isJudged: this.verdict !== null, isLoaded: true, isWaiting: false,
      next: words.trainer.next,
      act: { toggle: (card) => this.#toggle(card), confirm: () => this.#confirm(), clear: () => this.#clear(), next: () => this.#next() },
    });
  }
}

define("pg-card-course", CardCourse);
