// The budget: which clauses can be removed while the edge changes by no more than a given amount.

import { ask } from "../api.js";
import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { finePercent, thousands } from "../study/numbers.js";
import { waiting } from "../study/notes.js";
import { words } from "../words.js";
import { LatestQuestion } from "./latest.js";

/**
 * @typedef {import("../protocol").BudgetAnswer} BudgetAnswer
 * @typedef {import("../protocol").BudgetQuestion} BudgetQuestion
 * @typedef {import("../protocol").BudgetStep} BudgetStep
 * @typedef {import("../protocol").DesignQuestion} DesignQuestion
 */

/** Maximum number of decimal digits of a budget in percent. */
const DIGITS_MAX = 10;

/** Returns a percentage as an exact fraction of the wager, as a decimal: `0.01` is `0.0001`. Returns `null` for another text and for more than 100 %. @param {string} text */
export function fractionOf(text) {
  const [, whole, part = ""] = /^\s*(\d{1,3})(?:[.,](\d+))?\s*%?\s*$/.exec(text) ?? [];
  if (whole === undefined || part.length > DIGITS_MAX) return null;
  const digits = `00${whole}${part}`;
  const at = digits.length - part.length - 2;
  const fraction = `${Number(digits.slice(0, at))}.${digits.slice(at)}`;
  return Number(fraction) > 1 ? null : fraction;
}

/** A budget, and the clauses that can be removed within it. */
export class Budget {
  /** The budget in percent, as the user wrote it. */
  text = "";
  /** @type {BudgetAnswer | null} */
  answer = null;
  /** Keys of the clauses that the numbers of the answer refer to. @type {string[]} */
  keys = [];
  busy = false;
  fault = "";
  #changed;
  /** @type {LatestQuestion<BudgetQuestion & { keys: string[] }, BudgetAnswer>} */
  #latest;

  /** @param {() => void} changed called when the answer changes */
  constructor(changed) {
    this.#changed = changed;
    this.#latest = new LatestQuestion(({ keys: _, ...question }, signal) => ask("/api/design/budget", { body: question, signal }), {
      answered: (answer, { keys }) => this.#set({ answer, keys }),
      failed: (error) => this.#set({ answer: null, fault: errorText(error) }),
      preparing: () => {},
    });
  }

  /** The budget as a fraction of the wager; `null` if there is none. */
  get fraction() {
    return fractionOf(this.text);
  }

  /** The budget for display. */
  get shown() {
    return `${this.text.trim().replace(/\s*%$/, "")}\u202f%`;
  }

  /** Whether a change of the edge exceeds the budget. @param {string} change */
  isExceededBy(change) {
    return this.fraction !== null && Math.abs(Number(change)) > Number(this.fraction);
  }

  /** Asks which clauses can be removed. @param {DesignQuestion} question @param {string[]} keys keys of the clauses of the text @param {number} [delay] in milliseconds */
  ask(question, keys, delay) {
    const { fraction } = this;
    if (fraction === null) return this.end();
    this.busy = true;
    this.#latest.ask({ ...question, budget: fraction, keys }, delay);
    this.#changed();
  }

  /** Forgets the answer, which is that of another text. */
  end() {
    this.#latest.end();
    this.#set({ answer: null });
  }

  /** @param {Partial<Budget>} some */
  #set(some) {
    Object.assign(this, { busy: false, fault: "", ...some });
    this.#changed();
  }
}

/**
 * The section of the budget.
 * @param {Budget} budget @param {{ version: string, readable: boolean, stale: boolean }} shown `readable`: whether clauses can be switched off @param {{ change: (text: string) => void, apply: (keys: string[]) => void }} act
 * @returns {import("../study/fold.js").Part}
 */
export function budgetPart(budget, { version, readable, stale }, act) {
  const { budget: say } = words.designer;
  const { answer, text, fraction, fault, busy } = budget;
  const isWrong = text.trim() !== "" && fraction === null;
  return { id: "design-budget", title: say.title, many: answer?.steps.length ?? 0, body: [
    h("p", { class: "small" }, say.why(version)),
    h("label", { class: "field design-budget-field" }, say.label,
      h("input", { name: "budget", inputmode: "decimal", autocomplete: "off", placeholder: say.example, ".value": text, "aria-invalid": isWrong ? "true" : null, "aria-describedby": isWrong ? "design-budget-fault" : null,
        oninput: (/** @type {any} */ event) => act.change(event.target.value) })),
    isWrong && h("p", { class: "fault", key: "wrong", id: "design-budget-fault" }, say.wrong),
    fault && h("p", { class: "fault", key: "fault", role: "alert" }, fault),
    busy && !answer && waiting(words.designer.computing),
    answer && h("div", { class: { stack: true, stale: stale || busy }, key: "answer" }, steps(budget, answer, readable && !stale && !busy, act.apply)),
  ] };
}

/** Formats a change with three significant digits: changes within a budget are small. @param {string} change */
const fineChange = (change) => (Number(change) === 0 ? words.designer.changeNone : finePercent(change, { sign: true }));

/** @param {Budget} budget @param {BudgetAnswer} answer @param {boolean} canApply @param {(keys: string[]) => void} apply */
function steps(budget, { steps: all, next, clauses, edge_change: now }, canApply, apply) {
  const { keys, shown } = budget;
  const isOver = budget.isExceededBy(now);
  const { budget: say, clause: clauseName, ofClause } = words.designer;
  const upTo = (/** @type {number} */ many) => apply(all.slice(0, many).map(({ clause }) => keys[clause - 1]));
  const row = (/** @type {BudgetStep} */ { clause, when, set, hands, edge_change: change, hands_changed: changed }, /** @type {number} */ index) => h("li", { key: clause },
    h("p", null, h("b", null, clauseName(clause)), `: ${when} → ${set.join("; ")}`),
    h("p", { class: "small design-figures" }, say.facts(thousands(hands), fineChange(change), thousands(changed))),
    h("button", { type: "button", class: "button slim", disabled: !canApply, onclick: () => upTo(index + 1) }, index === 0 ? say.applyOne : say.applyTo, h("span", { class: "unseen" }, ofClause(clauseName(clause)))));
  return [
    h("div", { class: "design-found" },
      h("p", { role: "status" }, all.length === 0 ? isOver ? say.over(fineChange(now), shown) : say.none : say.found(all.length, clauses, fineChange(all[all.length - 1].edge_change))),
      all.length > 0 && h("button", { type: "button", class: "button slim", disabled: !canApply, onclick: () => upTo(all.length) }, say.applyAll(all.length))),
    all.length > 0 && h("ol", { class: "design-steps", key: "steps" }, all.map(row)),
    !isOver && h("p", { class: "small", key: "next" }, next ? say.next(clauseName(next.clause), fineChange(next.edge_change), shown) : say.last),
    h("p", { class: "small" }, say.greedy),
  ];
}
