// <pg-puzzle-archive>: all puzzles by month, with the player's answers. One request gives the first and the current day; the rest follows from them.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";
import { ask } from "../api.js";
import { words } from "../words.js";
import { daysBetween, longDay, monthName, monthsOf, shortDay } from "../puzzle/days.js";
import { isBest, loadAnswers } from "../puzzle/record.js";
import { OpenSections, folds } from "../study/fold.js";
import { finePercent } from "../study/numbers.js";
import { faultNote, waiting } from "../study/notes.js";

/** @typedef {import("../puzzle/solution.js").Puzzle} Puzzle */

class PuzzleArchive extends Component {
  /** @type {Puzzle | null} */
  today = null;
  answers = loadAnswers();
  fault = "";
  sections = new OpenSections();

  begin() {
    this.on(window, "storage", () => { this.answers = loadAnswers(); this.update(); });
    this.#load();
  }

  async #load() {
    this.fault = "";
    this.update();
    try {
      /** @type {Puzzle} */
      const today = await ask("/api/puzzles/today", { signal: this.signal });
      this.today = today;
      this.sections.set(sectionId(today.today.slice(0, 7)), true);
    } catch (error) {
      if (this.signal.aborted) return;
      this.fault = errorText(error);
    }
    this.update();
  }

  view() {
    const { puzzle: say } = words;
    const { today } = this;
    return h("div", { class: "page puzzle-archive" },
      h("header", { class: "head" }, h("h1", null, say.archiveTitle), h("p", null, say.archiveLead)),
      h("nav", { class: "row", "aria-label": say.title }, h("a", { class: "button slim plain", href: "/puzzle" }, say.today)),
      faultNote(this.fault, () => this.#load()),
      !today && !this.fault && waiting(words.app.loading),
      today && folds(monthsOf(today.first, today.today).map(({ month, days }) => {
        const id = sectionId(month);
        return { id, title: monthName(month), many: days.length, body: this.sections.isOpen(id) && h("ul", { class: "puzzle-days" }, days.map((day) => this.#day(today, day))) };
      }), this.sections, () => this.update()));
  }

  /** @param {Puzzle} puzzle of today @param {string} day */
  #day({ today, number }, day) {
    const { puzzle: say } = words;
    const answer = this.answers[day];
    const state = !answer ? "open" : isBest(answer) ? "best" : "cost";
    const text = state === "cost" ? say.states.cost(finePercent(answer.cost)) : say.states[/** @type {"open" | "best"} */ (state)];
    return h("li", { key: day }, h("a", { class: ["puzzle-day", `is-${state}`], href: `/puzzle/${day}`, title: longDay(day), "data-day": day },
      h("b", null, shortDay(day), day === today && h("span", { class: "tag on" }, say.isToday)),
      h("span", { class: "small" }, say.number(number - daysBetween(day, today))),
      h("span", { class: ["small", "puzzle-state", { good: state === "best", bad: state === "cost" }] }, state === "best" && h("span", { "aria-hidden": "true" }, "✓ "), text)));
  }
}

/** @param {string} month */
const sectionId = (month) => `month-${month}`;

define("pg-puzzle-archive", PuzzleArchive);
