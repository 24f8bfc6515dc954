// <pg-confirm>: a button that asks before it acts. The answer that changes nothing has the focus first.

import { h } from "../dom.js";
import { errorText } from "../fault.js";
import { Component, define } from "../component.js";

/** @typedef {{ label: string, question: string, yes: string, no: string, act: () => unknown }} Question texts of the buttons, and the action of `yes` */

class Confirm extends Component {
  /** @type {Question | null} */
  #question = null;
  /** Whether the question is shown. */
  asking = false;
  fault = "";
  /** Selector of the button that gets the focus after the next render. */
  #focus = "";

  get question() {
    return this.#question;
  }

  set question(question) {
    this.#question = question;
    this.update();
  }

  begin() {
    const dialog = this.closest("dialog");
    if (dialog) this.on(dialog, "close", () => this.#show(false, ""));
  }

  /** @param {boolean} asking @param {string} focus */
  #show(asking, focus) {
    this.asking = asking;
    this.fault = "";
    this.#focus = focus;
    this.update();
  }

  async #act() {
    try {
      await this.#question?.act();
      this.#show(false, ".confirm-ask");
    } catch (error) {
      this.fault = errorText(error);
      this.update();
    }
  }

  /** Escape answers no and leaves the dialog open. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    this.#show(false, ".confirm-ask");
  }

  view() {
    const question = this.#question;
    if (!question) return null;
    if (!this.asking) return h("button", { key: "ask", type: "button", class: "button confirm-ask", onclick: () => this.#show(true, ".confirm-no") }, question.label);
    return h("div", { key: "question", class: "confirm", role: "group", "aria-label": question.question, onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
      h("p", null, question.question),
      this.fault && h("p", { class: "fault", role: "alert" }, this.fault),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button danger", onclick: () => this.#act() }, question.yes),
        h("button", { type: "button", class: "button confirm-no", onclick: () => this.#show(false, ".confirm-ask") }, question.no)));
  }

  updated() {
    if (!this.#focus) return;
    /** @type {HTMLElement | null} */ (this.querySelector(this.#focus))?.focus();
    this.#focus = "";
  }
}

define("pg-confirm", Confirm);
